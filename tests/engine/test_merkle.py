"""Trees of RFC 6962: the roots every Certificate Transparency implementation agrees on, and their proofs."""

from hashlib import sha256

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import merkle

# The reference leaves and roots of Certificate Transparency's own tests, trees of 1 to 8 leaves.
CT_LEAVES = [
    "",
    "00",
    "10",
    "2021",
    "3031",
    "40414243",
    "5051525354555657",
    "606162636465666768696a6b6c6d6e6f",
]
CT_ROOTS = [
    "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
    "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
    "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
    "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
    "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
    "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
    "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
    "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
]
CT_PATH_OF_5_IN_8 = (
    "bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b"
    "ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0"
    "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7"
)


def leaves(size: int) -> list[bytes]:
    return [merkle.leaf_hash(at.to_bytes(4, "big")) for at in range(size)]


def rfc_root(nodes: list[bytes]) -> bytes:
    """MTH as the RFC words it: split at the largest power of two below the number of leaves."""
    if len(nodes) == 1:
        return nodes[0]
    split = 1 << (len(nodes) - 1).bit_length() - 1
    return sha256(b"\x01" + rfc_root(nodes[:split]) + rfc_root(nodes[split:])).digest()


@pytest.mark.parametrize("size", range(1, 9))
def test_certificate_transparency_reference_roots(size: int) -> None:
    tree = merkle.levels(merkle.leaf_hash(bytes.fromhex(leaf)) for leaf in CT_LEAVES[:size])
    assert tree[-1].hex() == CT_ROOTS[size - 1]


def test_certificate_transparency_reference_path() -> None:
    tree = merkle.levels(merkle.leaf_hash(bytes.fromhex(leaf)) for leaf in CT_LEAVES)
    assert merkle.path(tree, 5).hex() == CT_PATH_OF_5_IN_8


def test_the_empty_tree_is_the_hash_of_nothing() -> None:
    assert merkle.levels([])[-1] == sha256().digest()


def test_a_leaf_cannot_pass_for_a_node() -> None:
    """Defect 13 of peers: without the prefixes two hashes side by side are also a leaf."""
    left, right = leaves(2)
    assert merkle.leaf_hash(left + right) != merkle.node_hash(left, right)


@pytest.mark.parametrize("size", [*range(1, 70), 100, 255, 256, 257])
def test_shape_is_the_rfcs_for_any_number_of_leaves(size: int) -> None:
    assert merkle.levels(leaves(size))[-1] == rfc_root(leaves(size))


@given(size=st.integers(1, 130), data=st.data())
def test_every_path_leads_to_the_root_and_no_altered_one_does(size: int, data: st.DataObject) -> None:
    nodes, at = leaves(size), data.draw(st.integers(0, size - 1))
    tree = merkle.levels(nodes)
    proof = merkle.path(tree, at)
    assert merkle.root_from_path(nodes[at], at, size, proof) == tree[-1]
    assert merkle.root_from_path(nodes[at], at, size, proof + bytes(32)) is None
    assert merkle.root_from_path(merkle.leaf_hash(b"other"), at, size, proof) != tree[-1]
    if proof:
        byte = data.draw(st.integers(0, len(proof) - 1))
        altered = proof[:byte] + bytes((proof[byte] ^ 1,)) + proof[byte + 1 :]
        assert merkle.root_from_path(nodes[at], at, size, altered) != tree[-1]
        assert merkle.root_from_path(nodes[at], at, size, proof[:-32]) is None
        assert merkle.root_from_path(nodes[at], at, size, proof[:-1]) is None


@pytest.mark.parametrize("at", [-1, 52])
def test_there_is_no_leaf_outside_the_tree(at: int) -> None:
    tree = merkle.levels(leaves(52))
    with pytest.raises(IndexError, match=f"no leaf {at}"):
        merkle.path(tree, at)
    assert merkle.root_from_path(leaves(1)[0], at, 52, merkle.path(tree, 0)) is None
