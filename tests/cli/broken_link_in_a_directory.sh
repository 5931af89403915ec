# Regression: a template that cannot be looked at was left out without a word.
. "$SRC/tests/cli/signals"
mkdir d
hill >d/a
ln -s nowhere d/b
stream | sigrep -t 0.1 d
