# A match comes out of a pipe that stays open.
mkfifo pipe
sigrep-text -k 1 needle <pipe >out &
exec 3>pipe
printf 'hay nedle hay hay hay' >&3
for _ in 1 2 3 4 5 6 7 8 9 10; do
    [ -s out ] && break
    sleep 0.5
done
cat out
exec 3>&-
wait $!
