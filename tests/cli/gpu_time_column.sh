# Regression: times_of_matches_that_a_fed_gpu_reports_late. A chunk is evaluated while the next one
# is read, so its matches lie further back than those of a push. Their times are still there.
command -v sigrep-fake-gpu >/dev/null || { echo "SKIP built without CUDA"; exit 77; }
awk 'BEGIN { print "0 1"; print "0.5 5"; print "1 2" }' >x.txt
awk 'BEGIN {
    for (i = 0; i < 70000; i++) print i / 2, i % 59000 == 1000 ? 1 : i % 59000 == 1001 ? 5 : i % 59000 == 1002 ? 2 : 0
}' >y.txt
many=2$(printf ',2%.0s' $(seq 499)) # so that little is read at once
export FAKE_CUDA=1
for device in cpu cuda; do
    sigrep-fake-gpu -d $device --time-column 1 --columns "$many" --chunk 20000 -t 0.1 x.txt y.txt
done
