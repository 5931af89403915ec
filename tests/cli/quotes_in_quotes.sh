# RFC 4180: two double quotes in a quoted cell are one, in groups and in names of columns.
. "$SRC/tests/cli/signals"
lines 0 3 6 >t.txt
cat >groups.csv <<'EOF'
g,x
"a""q",0
a"q,3
"""""",0
"a""q",6
b,5
"""""",3
"""""",6
EOF
ran sigrep -o json -t 0 --columns x --group-by g t.txt groups.csv
ran sigrep -o csv -t 0 --columns x --group-by g t.txt groups.csv
cat >names.csv <<'EOF'
"Temp ""C""","say ""1"" more",c
0,9,9
3,0,9
6,3,9
9,6,9
EOF
ran sigrep -t 0 --columns 'Temp "C"' t.txt names.csv
ran sigrep -t 0 --columns 'say "1" more' t.txt names.csv
ran sigrep -t 0 --columns 'Temp ""C""' t.txt names.csv 2>&1
echo "- names in quotes"
printf '%s\n' '"a,""b""","""x""",c' 0,9,9 3,0,9 6,3,9 9,6,9 >both.csv
ran sigrep -t 0 --columns '"Temp ""C"""' t.txt names.csv
ran sigrep -t 0 --columns '"a,""b"""' t.txt both.csv
ran sigrep -t 0 --columns '"""x"""' t.txt both.csv
echo "- a header that comes again"
cat names.csv names.csv >again.csv
ran sigrep -t 0 --columns 'Temp "C"' t.txt again.csv 2>&1
echo "- what is no quoted cell, and numbers, stay as they are"
printf '%s\n' 'x,"y"' '"0","a""b"c' '"3",8' '6,"""7"' >odd.csv
ran sigrep -t 0 --columns x t.txt odd.csv
ran sigrep -t 0 --columns y --skip-bad t.txt odd.csv 2>&1
