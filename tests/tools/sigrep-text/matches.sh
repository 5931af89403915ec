# Each line is a match: start, end, edits, pattern. The best of overlapping ones, the first of equal.
printf 'the quick brown fox jumps over teh lazy dog' >fox
sigrep-text -k 0 the fox
echo "exact: $?"
sigrep-text -k 1 the fox
sigrep-text -k 2 'brown fax' fox
sigrep-text -k 1 -e quik -e lazzy fox
sigrep-text -k 1 -e bronw fox
echo "none: $?"
sigrep-text -i -k 0 QUICK fox
printf 'aaaaaaaa' | sigrep-text -k 1 aaa
printf 'na\303\257ve naive na\303\257f' | sigrep-text -k 1 "$(printf 'na\303\257ve')"
echo "a letter of UTF-8 is bytes: $?"
printf 'a\0b\nc' | sigrep-text -k 1 'bc'
sigrep-text -k 3 -o json 'brown fax' fox
sigrep-text -k 3 -o csv 'brown fax' fox
