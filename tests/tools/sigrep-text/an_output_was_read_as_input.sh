# The file that standard output appends to is no input: matches were read and matched, for ever.
yes aabaa | head -n 40000 >own.txt
ran() {
    echo "\$ sigrep-text $*"
    timeout 60 sigrep-text "$@" >>own.txt
    echo "status $?, $(wc -l <own.txt) lines"
}
exec 2>&1
ran -k 0 baa own.txt
ran -c -k 0 baa own.txt
ran -s -k 0 baa - <own.txt
ran -q -k 0 baa own.txt
