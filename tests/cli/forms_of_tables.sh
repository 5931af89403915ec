# Tables whose form is certain, or given by options: what a reader sees is searched, in every program.
. "$SRC/tests/cli/signals"
printf '%s\n' 1 3 6 9 6 3 1 >p.txt
printf '100%s.5\n' 1 3 6 9 6 3 1 >thousand.txt
sed 's/\..*//' thousand.txt >whole.txt
rows() { # printf formats of a date and of a row: date, clock, x, x in thousands
    awk -v format="$1\n" 'BEGIN { split("0 0 1 3 6 9 6 3 1 0 0", x); for (i = 1; i < 12; i++)
        printf format, sprintf("0%d", i - 1), x[i] }' | sed 's/:010,/:10,/; s/:010;/:10;/; s/:010 /:10 /'
}
try() { # name, options: the table on standard input
    cat >"$1"
    echo "- $1"
    shift
    ran sigrep -t 0 "$@" 2>&1
}
t="--time-column 1 --columns 2 p.txt"
rows '01.12.2026 12:00:%s;%s,0' | try german $t german
rows '2026/12/01 12:00:%s,%s' | try years_first $t years_first
rows '12/01/2026 12:00:%s PM,%s' | try americans $t americans
ran sigrep -t 0 --time-format '%m/%d/%Y %I:%M:%S %p' $t americans
rows '23:59:%s,%s' | try clock $t clock
ran sigrep -t 0 -T hms $t clock
rows '01.12.2026,12:00:%s,%s' | sed '1i Date,Time,x' | try two_columns --time-column Date,Time --columns x p.txt two_columns
rows '2026-12-01 12:00:%s,500;%s' | try comma_of_a_fraction $t comma_of_a_fraction
rows '%s,%s' | try unit --time-unit ms $t unit
ran sigrep -t 0 --time-unit us -T samples $t unit
rows '%s;%s' | awk -F';' '{ print $1 ";1.00" $2 ",5" }' | try thousands -T samples --columns 2 thousand.txt thousands
rows '%s;%s' | awk -F';' '{ print $1 ";1.00" $2 }' | try perhaps_thousands -T samples --columns 2 whole.txt perhaps_thousands
ran sigrep -t 0 -T samples --decimal , --columns 2 whole.txt perhaps_thousands
rows '%s %s' | sed 's/.* //; s/$/,00/' | try lone_commas --decimal , p.txt lone_commas
rows '%s,%s' | sed '1i 5,6\n7,8\nt,x' | try skipped --skip 2 --columns x p.txt skipped
rows '%s;%s,0' | sed 's/$/;20.5\xc2\xb0C/' | try words_with_points --columns 2 p.txt words_with_points
rows '%s,%s' | sed '5i % a note' | try percent --columns 2 p.txt percent
ran sigrep -t 0 --comment % --columns 2 p.txt percent
rows '%s,%s' | sed '1i 7,2026' | try numbers_as_names --header yes -T samples --columns '"2026"' p.txt numbers_as_names
rows '%s,%s' | sed 1d | try no_names --header no -T samples --columns 2 p.txt no_names
rows '%s,%s' | sed '1i t,x' | try names_are_there --header no --columns 2 p.txt names_are_there
echo "- cut anywhere, and gone on with"
sigrep -t 0 $t german >whole
for bytes in 1 7 64; do dd bs=$bytes if=german status=none | sigrep -t 0 $t - | cmp - whole; done
head -n 6 german >part
sigrep --state s -t 0 $t part >gone_on
cp german part
sigrep --state s -t 0 $t part >>gone_on
cmp gone_on whole
ran sigrep --state s -t 0 --decimal , $t part
ran sigrep --range 1-10 -c -t 0 $t german
echo "- the other programs"
sigrep-train -o b.sigrep --time-column Date,Time --columns x x=two_columns@2-9 | cut -f 1-3
sigrep -t 0 -c --time-column Date,Time --columns x b.sigrep two_columns
sigrep-plot -o page.html --time-column Date,Time --columns x -t 0 p.txt two_columns && echo drawn
echo "- bad options"
for bad in '--decimal ;' '--decimal' '--header maybe' '--skip -1' '--skip x' '--comment a' '--comment ##' \
    '--time-unit h --time-column 1' '--time-unit s' '--time-format %H' '--time-column 1,2,3' '--time-column 1,' \
    '--time-column 1 --time-format %m' '--time-column 1 --time-format %Q' '--time-column 1 --time-format %s' \
    '--time-column 1 --time-unit s --time-format %F' '--time-column 1 --time-unit s'; do
    # shellcheck disable=SC2086 # words
    ran sigrep $bad --columns 2 -t 0 p.txt german 2>&1
done
