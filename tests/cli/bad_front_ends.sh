# A front end that cannot be is known before any input is read.
. "$SRC/tests/cli/signals"
hill >t.txt
for front_end in nonsense raw+ 'znorm=x' 'znorm' 'diff=1' 'envelope=0' 'mfcc=13' 'logmel=none' \
    'bandpass=9-3' 'bandpass=300-4000'; do
    ran sigrep -t 1 -r 8000 -p "$front_end" t.txt missing 2>&1
done
ran sigrep -t 1 -p '' t.txt missing 2>&1
echo "- a_front_end_that_no_rate_mends is known as early without a rate"
for front_end in nonsense raw+ 'znorm=x' 'diff=1' 'bandpass=9-3'; do
    ran sigrep -t 1 -p "$front_end" t.txt missing 2>&1
done
ran sigrep -t 1 -p bandpass=300-30000 t.txt missing 2>&1
# The default rate, 1, has no window of 25 ms.
ran sigrep -t 1 -p mfcc t.txt t.txt 2>&1
echo "- a_forgotten_rate_is_no_window_of_two_samples, which finds the template everywhere"
ran sigrep -t 1 -p znorm=0.5 t.txt t.txt 2>&1
ran sigrep -t 1 -c -p znorm=5 t.txt t.txt 2>&1
