# Several channels: the mean by default, in templates as in inputs, so that either may be mono.
. "$SRC/tests/cli/signals"
# Left is the hill, or nothing; right is something else. Their mean is half of the sum.
wav 8000 2 40 -40 0 0 60 -40 20 40 0 0 40 -40 >both.wav       # mean 0 0 10 30 0 0
wav 8000 1 0 0 10 30 0 0 >mono.wav
wav 8000 1 90 90 0 0 10 30 0 0 90 90 >in_mono.wav
wav 8000 2 80 100 80 100 0 0 0 0 0 20 60 0 0 0 0 0 90 90 90 90 >in_both.wav
for template in mono both; do
    for input in mono both; do
        echo "- $template in $input"
        sigrep -p raw -t 0.00001 x=$template.wav in_$input.wav
    done
done
echo "- one channel of both"
sigrep --channel 1 -p raw -t 0.00001 x=both.wav both.wav
ran sigrep --channel 2 -p raw -t 0.00001 x=both.wav both.wav 2>&1
ran sigrep --channel 2 -p raw -t 0.00001 x=both.wav in_both.wav 2>&1
echo "- a second channel that is not there"
ran sigrep --channel 2 -p raw -t 0.00001 x=both.wav in_mono.wav 2>&1
ran sigrep --channel 2 -p raw -t 0.00001 x=mono.wav in_both.wav 2>&1
echo "- each as a vector"
sigrep --channel each -p raw -t 0.00001 x=both.wav both.wav
ran sigrep --channel each -p raw -t 0.00001 x=both.wav in_mono.wav 2>&1
ran sigrep --channel each -p raw -t 0.00001 x=mono.wav in_both.wav 2>&1
