# --save writes below the directory that --recursive searches: the next search does not find its
# files, and saves no copies of copies.
. "$SRC/tests/cli/signals"
hill >t.txt
mkdir rec
stream >rec/monday.txt
for day in first second; do
    echo "- the $day search"
    ran sigrep --recursive -c -t 0.1 --save rec/clips t.txt rec
done
ls rec/clips
echo "- a folder that is named is searched"
ran sigrep --recursive -l -t 0.1 --save rec/clips t.txt rec/clips | sort
