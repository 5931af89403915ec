# An example that read beyond a keyword of fewer channels than the stream has.
. "$SRC/tests/cli/signals"
PATH=$(dirname "$(readlink -f "$(command -v sigrep)")")/examples/audio:$PATH
wav 8000 1 0 9 0 >one.wav
wav 8000 2 0 9 0 9 >two.wav
ran spot 1 one.wav two.wav 2>&1
ran spot 1 two.wav one.wav 2>&1
ran spot 1 missing one.wav 2>&1
