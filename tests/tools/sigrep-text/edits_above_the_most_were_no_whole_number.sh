# The message of -k names the range.
. "$SRC/tests/cli/signals"
ran sigrep-text -k 268435457 abc
