"""Tags under one key are those of HMAC-SHA256."""

from hmac import digest

from hypothesis import given
from hypothesis import strategies as st

from engine.mac import keyed

messages = st.binary(max_size=200)


@given(key=st.one_of(st.binary(max_size=140), st.sampled_from([b"", bytes(64), bytes(65)])), one=messages, two=messages)
def test_tags_are_those_of_the_standard_library_one_after_the_other(key: bytes, one: bytes, two: bytes) -> None:
    tag = keyed(key)
    assert [tag(one), tag(two), tag(one)] == [digest(key, message, "sha256") for message in (one, two, one)]


def test_rfc_4231_case_two() -> None:
    assert keyed(b"Jefe")(b"what do ya want for nothing?").hex() == (
        "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
    )
