# The log of a door sensor, in JSON Lines: nested keys, ISO times, an event without a value.
. "$SRC/tests/cli/signals"
awk 'BEGIN {
    for (i = 0; i < 60; i++) {
        at = i % 20
        angle = at == 5 || at == 9 ? 10 : at == 6 || at == 8 ? 30 : at == 7 ? 60.5 : 0
        printf "{\"ts\": \"2026-11-21T08:00:%02d.%dZ\", \"dev\": {\"id\": \"door-7\", \"bat\": 3.1}, ", i / 10, i % 10
        printf "\"door\": {\"angle\": %s, \"open\": %s}, \"acc\": [%d, 0, 9.81], \"rssi\": %d}\n", angle, (angle > 0 ? "true" : "false"), angle / 10, -60 - i % 3
    }
}' >door.jsonl
head -n 1 door.jsonl
look() { ran sigrep --time-column ts -t 0 "$@" 2>&1; }
echo "- by nested keys, booleans and elements; a template cut out by its time"
look --columns door.angle open=door.jsonl@08:00:00.4-08:00:01.1 door.jsonl
look --columns door.open,acc.0 open=door.jsonl@0.4-1.1 door.jsonl
look --columns door.angle open=door.jsonl@2026-11-21T08:00:00.4Z-2026-11-21T08:00:01.1Z door.jsonl
look -f jsonl --columns door.angle -o json -m 1 open=door.jsonl@08:00:00.4-08:00:01.1 door.jsonl
echo "- by numbers, and without a choice; from a pipe; packed"
ran sigrep --time-column 1 --columns 5 -t 0 -m 1 door.jsonl@08:00:00.4-08:00:01.1 door.jsonl 2>&1
cat door.jsonl | look -c door.jsonl@08:00:00.4-08:00:01.1
gzip -c door.jsonl >packed
look -c door.jsonl@08:00:00.4-08:00:01.1 packed
echo "- a template of another kind"
printf '0\n10\n30\n60.5\n30\n10\n0\n' >open.txt
look --columns door.angle open.txt door.jsonl
echo "- -f jsonl reads arrays, of templates too"
sed 's/.*ts": "\([^"]*\)".*angle": \([0-9.]*\).*/["\1", \2]/' door.jsonl >arrays
ran sigrep -f jsonl --time-column 1 -t 0 -m 1 arrays@08:00:00.4-08:00:01.1 arrays 2>&1
ran sigrep --time-column 1 -t 0 open.txt arrays 2>&1
echo "- bad lines, and keys that are not there"
sed '3s/,/;/; 30s/60.5/"jammed"/' door.jsonl >bad.jsonl
sed '8s/60.5/"jammed"/' door.jsonl >jammed.jsonl
look --columns door.angle open.txt bad.jsonl
look --columns door.angle open.txt jammed.jsonl
look --skip-bad --columns door.angle open.txt bad.jsonl jammed.jsonl
ran sigrep --time-column time --columns door.angle -t 0 open.txt door.jsonl 2>&1
sed '3s/"ts": "[^"]*"/"ts": null/' door.jsonl | look --columns door.angle open.txt
look --columns door.angel open.txt door.jsonl
look --columns dev.id open.txt door.jsonl
echo "- the lines of a match"
look --save cut -C 0.1 -m 1 --columns door.angle open.txt door.jsonl
(cd cut && wc -l *)
look --columns door.angle open.txt cut/door_open_2026-11-21T08_00_00.400Z.jsonl
echo "- templates that are trained"
ran sigrep-train --time-column ts --columns door.angle -o open.sigrep open=door.jsonl@0.4-1.1 open=door.jsonl@2.4-3.1 2>&1
look --columns door.angle open.sigrep door.jsonl
echo "- a document is no JSON Lines"
printf '{\n "x": [1, 2]\n}\n' >document.json
ran sigrep -t 0 open.txt document.json 2>&1
echo "- an array after objects without the column: a search crashed that told their names"
lines '{"event":"beat"}' '[1]' >array.jsonl
ran sigrep -t 0 --columns angle open.txt array.jsonl 2>&1
