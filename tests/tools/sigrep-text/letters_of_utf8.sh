# With --alphabet utf8 a character is a letter, however many bytes it has.
. "$SRC/tests/cli/signals"
printf 'Stra\303\237e na\303\257ve \346\227\245\346\234\254\350\252\236 \360\237\230\200!' >text
ran sigrep-text --alphabet utf8 -k 0 "$(printf 'na\303\257ve')" text
ran sigrep-text --alphabet utf8 -k 1 naive text
ran sigrep-text -k 1 naive text
ran sigrep-text --alphabet utf8 -k 0 -i "$(printf 'STRA\303\237E')" text
ran sigrep-text --alphabet utf8 -k 1 "$(printf '\346\227\245\350\252\236')" text
# The same from a pipe that cuts characters.
dd bs=1 if=text 2>dd.err | ran sigrep-text --alphabet utf8 -k 0 "$(printf '\360\237\230\200!')"
# Bytes that are no UTF-8 match nothing, and are reported once.
printf 'na\357ve na\303' | ran sigrep-text --alphabet utf8 -k 1 naive
ran sigrep-text --alphabet utf8 -k 1 "$(printf 'na\357ve')" text
for high in 0 1 2 3; do
    for low in 0 1 2 3 4 5 6 7; do
        for last in 0 1 2 3 4 5 6 7; do printf "\\343\\20$high\\2$low$last"; done
    done
done >many
ran sigrep-text --alphabet utf8 -k 0 -f many text
ran sigrep-text --alphabet utf8 --fasta -k 0 naive text
