# Prometheus' own checker, or its Python package, reads what --stats-every writes.
. "$SRC/tests/cli/signals"
hill >t.txt
stream >s.txt
command -v promtool >/dev/null || /usr/bin/python3 -c 'import prometheus_client' 2>/dev/null || {
    echo "SKIP neither promtool (prometheus) nor python3-prometheus-client is there"
    exit 77
}
sigrep -r 10 -t 0.1 --stats-every 60,f.prom -e "$(printf 'a"b\\\nc\377')=t.txt" -e t.txt s.txt >/dev/null
if command -v promtool >/dev/null; then
    promtool check metrics <f.prom
    echo "promtool: status $?" >&2
    promtool check metrics <s.txt >/dev/null 2>&1 && echo "it takes anything" >&2
fi 2>said
grep -v 'promtool: status 0' said
if /usr/bin/python3 -c 'import prometheus_client' 2>/dev/null; then
    /usr/bin/python3 -c '
from prometheus_client.parser import text_string_to_metric_families
found = {s.name: s for f in text_string_to_metric_families(open("f.prom").read()) for s in f.samples}
assert found["sigrep_samples_total"].value == 19, found
labels = [s.labels["label"]
          for f in text_string_to_metric_families(open("f.prom").read())
          for s in f.samples if s.name == "sigrep_matches_total"]
assert labels == ["a\"b\\\nc\ufffd", "t"], labels'
fi
echo "parsed"
