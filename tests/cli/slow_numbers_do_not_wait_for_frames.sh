# Bytes without a format are raw f32 unless they hold frames of audio. A slow sensor sends 420 bytes
# and then nothing: its match is printed while the stream is open.
. "$SRC/tests/cli/signals"
f32() {
    for sample; do
        case $sample in
        0) bytes 0 0 0 0 ;;
        1) bytes 0 0 128 63 ;;
        3) bytes 0 0 64 64 ;;
        9) bytes 0 0 16 65 ;;
        esac
    done
}
hill >t.txt
mkfifo in out
sigrep -T samples -t 0.1 t.txt <in >out &
exec 3>in 4<out
# shellcheck disable=SC2046 # 95 words
f32 $(seq 95 | sed 's/.*/9/') >&3
f32 0 1 3 1 0 >&3
f32 9 9 9 9 9 >&3
read -r line <&4
echo "$line, and the stream goes on"
f32 0 1 3 1 0 >&3
exec 3>&-
cat <&4
wait $!
echo "status $?"
