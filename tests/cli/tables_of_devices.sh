# Tables as programs and devices write them: what a reader sees is searched, or an error says why not.
printf '%s\n' 1 3 6 9 6 3 1 >p.txt
rows() { # a printf format for the row: t, x, y
    awk -v format="$1\n" 'BEGIN { split("0 0 1 3 6 9 6 3 1 0 0", x); for (i = 1; i < 12; i++) printf format, i - 1, x[i], 7 }'
}
try() { # name, options: the table on standard input
    cat >"$1"
    echo "- $1"
    shift
    sigrep -t 0 "$@" 2>&1
    echo "status $?"
}
x="--columns x p.txt"
{ echo 'time;V(a,b);x' && rows '%d;%d;%d' | awk -F';' '{ print $1 ";" $3 ";" $2 }'; } | try names_hold_commas $x names_hold_commas
{ echo 'Time (s) x y' && rows '%d %d %d'; } | try more_names_than_values $x more_names_than_values
{ echo '"x" "y"' && rows '"%d" %d %d'; } | try row_names_of_r $x row_names_of_r
{ echo 't,x,x' && rows '%d,%d,%d'; } | try two_equal_names $x two_equal_names
{ printf 't\tx\ty\n' && rows '%d,50\t%d,0\t%d,5'; } | try decimal_commas $x decimal_commas
rows '%d %d' | sed 's/.* //; s/$/,00/' | try lone_decimal_commas p.txt lone_decimal_commas
{ printf '%s\n' 'Logger 5' 'Rate,100' 't,x,y' 's,V,V' && rows '%d,%d,%d'; } | try preamble_and_units $x preamble_and_units
{ printf '%s\n' '%made by' '% t x y' && rows '%d %d %d'; } | try marks_before_names $x marks_before_names
{ echo 'sep=;' && echo 't;x;y' && rows '%d;%d;%d'; } | try sep_line $x sep_line
{ echo ',0' && rows '%d,%d'; } | try names_of_pandas -T samples --columns 2 p.txt names_of_pandas
{ echo 't,"x, raw",Sensor #1' && rows '%d,%d,%d'; } | try quoted_name --columns '"x, raw"' p.txt quoted_name
{ echo 't,x,y' && rows '%d,%d,%d'; } |
    sed '2s/0,7/n\/a,7/; 6s/6/#N\/A/; 8s/6,7/1.#QNAN,7/' | try missing_values $x missing_values
{ echo timeout && rows '%d %d'; } | sed 's/.* //; 6s/.*/timeout/' | try no_row_vanishes --skip-bad p.txt no_row_vanishes
rows '%d %d' | sed 's/.* //; 5s/^/\n/' | try blank_line p.txt blank_line
{ echo 't,x,y' && rows '%d,%d,%d'; } | tr '\n' '\r' | try cr_alone $x cr_alone
{ echo 't,x,y' && echo 's,1,V' && rows '%d,%d,%d'; } | try units_of_1 $x units_of_1
{ echo '2026,t' && rows '%d,%d'; } | try names_or_values --columns 1 p.txt names_or_values
{ echo ';t;x' && rows '%d;%d;%d' | awk -F';' '{ print NR ";" $1 ";" $2 }'; } | try index_of_pandas $x index_of_pandas
{ printf 't\tx\tComment\n' && rows '%d\t%d'; } | try comments_of_labview $x comments_of_labview
rows '%d %d' | sed 's/.* //; 5s/.*/#WERT!/' | try errors_of_sheets p.txt errors_of_sheets
{ printf 't\tx\n' && rows '%d\t%d' | sed '5s/.*/\t/'; } | try empty_row $x empty_row
rows '%d %d' | sed 's/.* //; s/$/,5/; 3s/5$/75/' | try decimals_or_pairs --columns 1 p.txt decimals_or_pairs
rows '{"t":%d,"x":%d}' | sed '2,9s/$/\n{"event":"beat"}/' | try other_rows.jsonl $x other_rows.jsonl
