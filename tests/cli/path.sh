# --path: the warping path of each match in JSON, pairs of a template's frame and a sample.
. "$SRC/tests/cli/signals"
hill >t.txt
stream >s.txt
echo "- a match of the same speed and a slow one; the same with the best"
ran sigrep -o json --path -t 0.1 t.txt s.txt 2>&1
ran sigrep -o json --path -b 2 -m 1 t.txt s.txt 2>&1
sigrep -o json --path -b 1 t.txt <s.txt
echo "- of the take that matched; a stream of its own after a gap; samples of the input's rate"
lines 0 3 0 >other.txt
{ stream && lines NaN NaN 0 3 3 0; } | ran sigrep -o json --path -t 0.1 -e hill=t.txt -e hill=other.txt 2>&1
lines 0 0 1 1 3 3 1 1 0 0 9 9 9 9 >fast.txt
sigrep -o json --path -b 1 -r 1 -p resample=0.5 t.txt fast.txt | sed 's/.*"path"/"path"/'

# Costs add up to the score: whole numbers, so that awk adds them as float32 does.
echo "- costs add up"
awk 'BEGIN { for (i = 0; i < 3000; i++) { x = (x * 1103515245 + 12345) % 2147483648
    print int(x / 65536) % 7, int(x / 1048576) % 5 } }' >noise.txt
head -n 140 noise.txt | tail -n 40 >cut.txt
sigrep -o json --path -b 20 cut.txt noise.txt >found
awk 'FILENAME == "cut.txt" { x[m + 0] = $1; u[m++] = $2; next }
    FILENAME == "noise.txt" { y[n + 0] = $1; v[n++] = $2; next }
    { match($0, /"score":[^,]*/)
      score = substr($0, RSTART + 8, RLENGTH - 8)
      gsub(/.*"path":\[\[|\]\].*/, "")
      pairs = split($0, pair, /\],\[/)
      d = 0
      for (k = 1; k <= pairs; k++) {
          split(pair[k], at, ",")
          for (s = 0; s < 2; s++) {
              step = s ? u[at[1]] - v[at[2]] : x[at[1]] - y[at[2]]
              d += step < 0 ? -step : step
          }
      }
      if (d / m - score < 1e-9 && score - d / m < 1e-9) good++
    }
    END { print good " paths of " m " frames" }' cut.txt noise.txt found

echo "- however it is computed"
for manner in --kernel=scalar --chunk=1 --chunk=7; do
    sigrep -o json --path -b 20 $manner cut.txt noise.txt | cmp - found
done
if command -v sigrep-fake-gpu >/dev/null; then
    FAKE_CUDA=1 sigrep-fake-gpu -d cuda -o json --path -b 20 cut.txt noise.txt | cmp - found
fi
echo "- from a pipe, which a best-of search must store"
# shellcheck disable=SC2002 # a pipe
cat noise.txt | sigrep -o json --path -b 20 cut.txt - | sed 's/(standard input)/noise.txt/' | cmp - found
sigrep -o json --path -t 2.5 cut.txt noise.txt cut.txt - <noise.txt >one
sigrep -o json --path -t 2.5 --output-dir out cut.txt noise.txt && grep '"noise.txt"' one | cmp - out/noise.txt.json
echo "$(wc -l <one) matches of 3 inputs"

# Every front end: a path goes from the first frame and sample to the last ones, step by step.
echo "- behind each front end"
digits=$SRC/tests/data/digits
for front_end in raw diff znorm=0.1 envelope=0.02 bandpass=300-3000 resample=3000 logmel mfcc speech \
    resample=1000+envelope=0.02; do
    sigrep -o json --path -b 1 -p $front_end "$digits/7_george_0.wav" "$digits/7_george_4.wav" >found
    awk -F '"path":' -v name=$front_end '{
        match($0, /"start_sample":[0-9]*/); start = 0 + substr($0, RSTART + 15, RLENGTH - 15)
        match($0, /"end_sample":[0-9]*/); end = 0 + substr($0, RSTART + 13, RLENGTH - 13)
        gsub(/\[\[|\]\]\}/, "", $2)
        n = split($2, pair, /\],\[/)
        for (k = 1; k <= n; k++) {
            split(pair[k], at, ",")
            if (k == 1 && (at[1] != 0 || at[2] != start)) bad++
            if (k > 1 && (at[1] < i || at[1] > i + 1 || at[2] < t || at[1] == i && at[2] == t)) bad++
            i = 0 + at[1]; t = 0 + at[2]
        }
        if (t >= end) bad++
        frames = i + 1
    } END { printf "%s: %d path of %d frames, %d bad\n", name, NR, frames, bad }' found
done

echo "- in JSON alone"
ran sigrep --path -t 1 t.txt s.txt 2>&1
ran sigrep --path -o csv -t 1 t.txt s.txt 2>&1
