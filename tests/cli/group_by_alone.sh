# --group-by, on tables of chance: the matches of each group are those of a file with its rows alone,
# whether the table is a file or a pipe, for any -j. seed is that of awk.
. "$SRC/tests/cli/signals"
hill >p.txt
lines 0 1 3 1 0.4 >q.txt

# table SEED: rows of five devices, with hills, gaps, missing and bad values, comments and headers.
table() {
    awk -v seed="$1" 'BEGIN {
        srand(seed)
        split("a b ab 7 =x", names)
        split("0 1 3 1 0", hill)
        print "time,device,flow"
        for (i = 0; i < 900; i++) {
            d = 1 + int(5 * rand() * rand())
            if (!at[d] && rand() < 0.1) at[d] = 1
            x = at[d] ? hill[at[d]] + int(2 * rand()) / 10 : 5 + int(5 * rand())
            if (at[d] && (rand() < 0.8) && ++at[d] > 5) at[d] = 0
            time[d] += rand() < 0.02 ? 7 - 9 * (rand() < 0.3) : 0.1 + 0.01 * (rand() < 0.1)
            if (rand() < 0.02) x = rand() < 0.5 ? "NA" : ""
            if (rand() < 0.003) x = "oops"
            printf "%.2f,%s,%s\n", time[d], names[d], x
            if (rand() < 0.005) print rand() < 0.5 ? "# a comment" : "time,device,flow"
        }
    }'
}

# check SEED OPTION...
check() {
    seed=$1
    shift
    table "$seed" >t.csv
    sigrep -j 3 --group-by device "$@" t.csv >together 2>messages
    sigrep --group-by device "$@" - <t.csv 2>unused | cmp - together
    dd bs=777 if=t.csv status=none | sigrep -j 2 --group-by device "$@" - 2>unused | cmp - together
    for device in a b ab 7 =x; do
        awk -F, -v d="$device" 'NR == 1 || $2 == d' t.csv >alone.csv
        sigrep "$@" alone.csv >alone 2>unused
        awk -F '\t' -v d="$device" '$NF == d { sub(/\t[^\t]*$/, ""); print }' together |
            cmp - alone || echo "seed $seed, $device: $*"
    done
    wc -l <together >>sizes
}

times='--time-column time --columns flow -t 0.3'
for seed in 1 2 3; do
    # shellcheck disable=SC2086 # words
    {
        check $seed --columns flow -t 0.3 --skip-bad p.txt
        check $seed $times p.txt
        check $seed $times --skip-bad --fill 0.5 -e x=p.txt -e x=q.txt
        check $seed $times --skip-bad --resample-times 9 --hold 3 p.txt
        check $seed $times --skip-bad --front-end diff -m 3 p.txt
        check $seed --time-column time --columns flow --skip-bad -b 2 p.txt
        check $seed --time-column time --columns flow --skip-bad -t 0.3 -c p.txt
    }
done
awk '$1 < 5 { few++ } END { print NR, "tables,", few + 0, "with hardly a match" }' sizes
