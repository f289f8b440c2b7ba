"""Settings come from the environment or a file; names of keys and tables are fixed."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from services.keys import new_table_id, partition_keys, partition_of, table_keys, ulid
from services.settings import FileBroken, Settings
from services.trouble import explain


@pytest.fixture(autouse=True)
def nowhere(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)


def test_defaults_need_no_configuration(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", "/data")
    settings = Settings()
    assert (settings.durability, settings.partitions, settings.redis_url) == ("standard", 64, None)
    assert settings.data_dir == Path("/data/croupier")
    assert settings.archive_url == "sqlite:////data/croupier/archive.db"
    assert settings.key_file("seal") == Path("/data/croupier/keys/seal.key")


def test_the_environment_wins_over_the_file(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "croupier.toml").write_text('durability = "dev"\npartitions = 8\n', encoding="utf-8")
    monkeypatch.setenv("CROUPIER_PARTITIONS", "16")
    monkeypatch.setenv("CROUPIER_VIEW_KEY_FILE", "/keys/view")
    settings = Settings()
    assert (settings.durability, settings.partitions) == ("dev", 16)
    assert settings.key_file("view") == Path("/keys/view")


def test_a_file_may_have_another_name_but_no_unknown_setting(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "mine.toml").write_text("durabilty = 1\n", encoding="utf-8")
    monkeypatch.setenv("CROUPIER_CONFIG", str(tmp_path / "mine.toml"))
    with pytest.raises(ValidationError, match="durabilty"):
        Settings()


@pytest.mark.parametrize("name", sorted(Settings.model_fields))
@pytest.mark.parametrize("value", ["", " "])
def test_a_variable_left_empty_is_refused_by_name(monkeypatch: pytest.MonkeyPatch, name: str, value: str) -> None:
    """An empty path is the working directory, and an empty key file would have been a new key."""
    monkeypatch.setenv(f"CROUPIER_{name.upper()}", value)
    with pytest.raises(ValidationError, match=f"{name}\n  it is empty"):
        Settings()


@pytest.mark.parametrize(
    "name", ["data_dir", "redis_server", "seal_key_file", "view_key_file", "signing_key_file", "corpus"]
)
def test_an_address_where_a_path_belongs_is_not_repeated(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.setenv(f"CROUPIER_{name.upper()}", "redis://:secret@host")
    with pytest.raises(ValidationError) as refused:
        Settings()
    assert explain(refused.value) == f"settings: {name}: name a file or folder, not an address"


@pytest.mark.parametrize("name", [name for name, field in Settings.model_fields.items() if field.annotation is int])
@pytest.mark.parametrize("value", ["-1", "9" * 30, "nan", "1e3", "many"])
def test_numbers_have_bounds_on_both_sides(monkeypatch: pytest.MonkeyPatch, name: str, value: str) -> None:
    monkeypatch.setenv(f"CROUPIER_{name.upper()}", value)
    with pytest.raises(ValidationError, match=name):
        Settings()


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b'log_level = "\xff"', "is not UTF-8 text"),
        (b"rate = " + b"[" * 100_000, "is nested too deeply"),
        (b"rate = 1\nrate = 2", "Cannot overwrite a value"),
        (b'redis_url = "redis://:secret@host\n', "Illegal character"),
        (None, "No such file or directory"),
    ],
)
def test_a_file_that_cannot_be_read_is_named(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, content: bytes | None, said: str
) -> None:
    """Also one that is named and not there: its settings were meant."""
    file = tmp_path / "mine.toml"
    if content is not None:
        file.write_bytes(content)
    monkeypatch.setenv("CROUPIER_CONFIG", str(file))
    with pytest.raises(FileBroken) as broken:
        Settings()
    assert str(file) in str(broken.value) and said in str(broken.value)
    assert "secret" not in str(broken.value)


def test_a_file_may_come_from_another_system(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """With a byte order mark and carriage returns."""
    (tmp_path / "croupier.toml").write_bytes(b"\xef\xbb\xbfpartitions = 8\r\nrate = 7\r\n")
    assert (Settings().partitions, Settings().rate) == (8, 7)


def test_a_switch_is_no_number(tmp_path: Path) -> None:
    (tmp_path / "croupier.toml").write_text("partitions = true", encoding="utf-8")
    with pytest.raises(ValidationError, match="it is no switch"):
        Settings()


def test_passwords_in_urls_are_not_shown() -> None:
    settings = Settings(redis_url="redis://:secret@host", database_url="postgresql://u:secret@host/d")
    assert "secret" not in repr(settings)


def test_key_layout_is_fixed() -> None:
    """eventlog.md 3.1."""
    assert partition_keys(17)[:5] == ("{p017}:own", "{p017}:in", "{p017}:due", "{p017}:out", "{p017}:seal")
    keys = table_keys("017-x")
    assert keys.events == "{p017}:t:017-x:ev"
    assert (keys.state, keys.public) == ("{p017}:t:017-x:st", "{p017}:t:017-x:pub")
    assert (keys.seeds, keys.actors) == ("{p017}:t:017-x:sec", "{p017}:t:017-x:act")
    assert keys.seat(3) == "{p017}:t:017-x:seat:3"
    assert keys.hands("ann") == "{p017}:t:017-x:last:ann"


def test_a_table_id_names_its_partition_and_sorts_by_time() -> None:
    first, second = new_table_id(17, 1_700_000_000_000), new_table_id(17, 1_700_000_000_001)
    assert partition_of(first) == 17
    assert first < second
    assert len(first) == 30


def test_ulids_are_those_of_the_specification() -> None:
    assert ulid(0, bytes(10)) == "0" * 26
    assert ulid(2**48 - 1, b"\xff" * 10) == "7" + "z" * 25
    assert ulid(1469922850259, bytes(10)).upper().startswith("01ARZ3NDEK")


@given(st.text())
def test_no_other_text_is_taken_for_a_table_id(text: str) -> None:
    try:
        partition = partition_of(text)
    except ValueError:
        return
    assert 0 <= partition <= 999
    assert text.isascii()
    assert not set(text) & set("{}:/. ")


@pytest.mark.parametrize(
    "text", ["", "017", "17-x", "017-", "017-X", "0١7-x", "017-a:b", "017-a}b", f"017-{'a' * 27}"]
)
def test_near_misses_are_no_table_ids(text: str) -> None:
    with pytest.raises(ValueError, match="table id"):
        partition_of(text)
