# Regression: each of these gave a wrong answer, or none, and no word of why.
. "$SRC/tests/cli/signals"
hill >t.txt
stream >s.txt
echo "- a_forgotten_rate_makes_no_samples"
ran sigrep -t 0.1 -p resample=100 t.txt s.txt 2>&1
ran sigrep -t 0.1 -p diff+resample=1.5 t.txt - <s.txt 2>&1
ran sigrep -c -t 0.1 -p resample=0.5 t.txt s.txt 2>&1
ran sigrep -c -r 1 -t 0.1 -p resample=2 t.txt s.txt 2>&1
echo "- a_bundle_that_cannot_be_replaced is refused before the work"
ran sigrep-train -l x -o b.sigrep t.txt
chmod a-w b.sigrep
ran sigrep-calibrate b.sigrep s.txt 2>&1
ran sigrep-train -o b.sigrep t.txt 2>&1
ran sigrep-train -o missing/b.sigrep t.txt 2>&1
ran sigrep-calibrate -o missing/b.sigrep b.sigrep s.txt 2>&1
echo "- bad_lines_alone_say_what_is_bad"
lines x y:1 y:2 >bad.txt
ran sigrep --skip-bad -t 0.1 t.txt bad.txt 2>&1
echo "- a_time_column_is_no_value"
{ echo x && cat t.txt; } >x.csv
{ echo t,x && awk '{ print NR "," $1 }' s.txt; } >tx.csv
ran sigrep --time-column 1 --columns x -t 0.1 x.csv tx.csv 2>&1
ran sigrep -c --time-column t --columns x -t 0.1 x.csv tx.csv 2>&1
echo "- bridges_fill_no_empty_column"
{ echo t,x,y && awk '{ print NR "," $1 "," }' s.txt; } >empty.csv
{ echo t,x,y && awk '{ print NR "," $1 ",0" }' t.txt; } >txy.csv
ran sigrep --fill 2 --time-column t --columns x,y -t 0.1 txy.csv empty.csv 2>&1
echo "- files_without_the_column are counted, but not what is no table"
mkdir logs
cp tx.csv logs/a.csv
sed 1s/x/X/ tx.csv >logs/b.csv
cp s.txt logs/c.txt
lines 'hello, world' 'this is no table, you see' >logs/readme.txt
ran sigrep --recursive -c --time-column t --columns x -t 0.1 x.csv logs 2>&1
ran sigrep --recursive -c -s --time-column t --columns x -t 0.1 x.csv logs 2>&1
ran sigrep --recursive -c -v --time-column t --columns x -t 0.1 x.csv logs 2>&1 | grep passed
rm logs/a.csv logs/b.csv
ran sigrep --recursive -c --time-column t --columns x -t 0.1 x.csv logs 2>&1
rm logs/c.txt
ran sigrep --recursive -c --time-column t --columns x -t 0.1 x.csv logs 2>&1
