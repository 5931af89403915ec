# sigrep-train and sigrep-calibrate read tables as sigrep does: by name, with times, gaps and bad
# lines.
. "$SRC/tests/cli/signals"
# A machine's log at 20 Hz: a press every 10 s, later a bad line, an empty cell and a pause.
awk 'BEGIN {
    print "when;force;phase;state"
    for (i = 0; i < 1200; i++) {
        t = i / 20
        phase = t - 10 * int(t / 10)
        press = phase > 4 && phase < 6 ? 5 - 5 * (phase - 5) ^ 2 : 0
        noise = i * 7919 % 101 / 500
        if (i > 700 && i < 760) continue
        printf "2026-09-01T08:00:%06.3fZ;%s;%.4g;%s\n", t, i == 490 ? "" : press + noise, phase,
            i == 300 ? "was \"stopped\"" : "runs"
    }
    print "2026-09-01T08:01:00.000Z;oops;0;runs"
}' >log.csv
how="--time-column when --columns force --fill 0.1"
# shellcheck disable=SC2086 # words
{
    sigrep-train $how --skip-bad -p znorm=3 -o press.sigrep a=log.csv@3.5-6.5 \
        a=log.csv@08:00:13.5-08:00:16.5 a=log.csv@2026-09-01T08:00:23.5-2026-09-01T08:00:26.5 2>&1
    ran sigrep $how --skip-bad -t 0.4 press.sigrep log.csv 2>&1
    awk 'BEGIN { # ten minutes of wandering
        print "when;force"
        for (i = 0; i < 12000; i++) {
            x = (i * i * 7919 + i * 31) % 1009 / 1009 + sin(i / 40) + sin(i / 13)
            printf "2026-09-01T08:%02d:%06.3fZ;%.4f\n", i / 1200, i % 1200 / 20, x
        }
        print "2026-09-01T08:10:00.000Z;oops"
    }' >quiet.csv
    ran sigrep-calibrate $how --skip-bad -n 60 -o quiet.sigrep press.sigrep quiet.csv 2>&1
    echo "- the same complaints"
    for program in "sigrep-train -o x.sigrep" "sigrep-calibrate -o x.sigrep press.sigrep"; do
        ran $program --time-column when --columns strength log.csv 2>&1
        ran $program $how log.csv 2>&1
        ran $program $how --fill nothing log.csv 2>&1
    done
    ran sigrep-calibrate --time-column when -o x.sigrep press.sigrep log.csv 2>&1
    wav 20 1 1 2 3 >x.wav
    ran sigrep-calibrate --time-column when -o x.sigrep press.sigrep x.wav 2>&1
}
