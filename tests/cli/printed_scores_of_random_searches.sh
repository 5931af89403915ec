# A printed score works as a threshold: for random data, by each front end and in each format, -t with
# the score of the best match finds that match first, and none that is worse. SIGREP_SEED repeats one;
# CHECK_SHARE=N runs one in N of 200.
seed=${SIGREP_SEED:-$$}
series() { # SEED COUNT
    awk -v seed="$1" -v n="$2" 'BEGIN {
        srand(seed)
        scale = 10 ^ int(rand() * 12 - 6)
        for (i = 0; i < n; i++) printf "%.9g\n", (x = 0.9 * x + rand() - 0.5) * scale
    }'
}
search() { sigrep -d cpu -T samples "$@" q.txt y.txt; }
score_of_json() { sed 's/.*"score":\([^,]*\),.*/\1/'; }
failed=0
i=0
searches=$((200 / ${CHECK_SHARE:-1}))
while [ $i -lt $searches ]; do
    case $((i % 10)) in
    0) set -- -p raw ;;
    1) set -- -p znorm=$((3 + i % 9)) ;;
    2) set -- -p diff ;;
    3) set -- -p envelope=$((2 + i % 5)) ;;
    4) set -- -r 10 -p resample=$((5 + i % 3)) ;;
    5) set -- -r 10 -p resample=20+diff ;;
    6) set -- -r 100 -p bandpass=5-20 ;;
    7) set -- -r 8000 -p mfcc ;;
    8) set -- -r 8000 -p speech ;;
    9) set -- -r 8000 -p logmel ;;
    esac
    [ $((i % 10)) -ge 7 ] && length=900 || length=$((9 + i % 40))
    series $((seed + i)) $((4 * length)) >y.txt
    # A copy of a part, of which each third value is off.
    awk -v from=$length -v n=$length 'NR > from && NR <= from + n {
        print $1 * (NR % 3 ? 1 : 0.875) }' y.txt >q.txt
    search "$@" -b 1 >best 2>errors || echo "seed $seed, search $i: $(cat errors)"
    score=$(cut -f 3 best)
    case $((i % 4)) in
    1) score=$(search "$@" -b 1 -o json | score_of_json) ;;
    2) score=$(search "$@" -b 1 -o csv | tail -n 1 | cut -d , -f 7) ;;
    3) search "$@" -b 1 --exec 'echo "$SIGREP_SCORE"' -q 2>executed && score=$(cat executed) ;;
    esac
    search "$@" -t "$score" >found
    if [ "$(head -n 1 found)" != "$(cat best)" ] || [ "$(cut -f 3 found | sort -u)" != "$score" ]; then
        echo "seed $seed, search $i ($*): not found by -t $score"
        failed=$((failed + 1))
    fi
    i=$((i + 1))
done
echo "$failed missed"
