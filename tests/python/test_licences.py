"""test_licences.py - the package has the licences of all that is in its library."""
import pathlib

import pytest

import sigrep


@pytest.mark.parametrize("name, words", [
    ("LICENSE", "MIT License"),
    ("filter/background/LICENSE", "CC-BY-SA-3.0"),
    ("filter/embedding/LICENSE", "TERMS AND CONDITIONS FOR USE, REPRODUCTION, AND DISTRIBUTION"),
])
def test_the_package_has_the_licence(name, words):
    assert words in (pathlib.Path(sigrep.__file__).parent / "licences" / name).read_text()
