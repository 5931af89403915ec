# sigrep-train and sigrep-calibrate replace a bundle once all is well, with its owner and its mode.
. "$SRC/tests/cli/signals"
lines 0 1 2 3 2 1 0 -1 -2 -1 0 >one.txt
lines 0 1.2 2 3 3 2 1 0 -1 -2 -2 -1 0 >two.txt
awk 'BEGIN {
    for (i = 0; i < 7200; i++) {
        seed = (seed * 1103515245 + 12345) % 2147483648
        x = 0.9 * x + int(seed / 65536) % 201 / 100 - 1
        printf "%.3f\n", x
    }
}' >walk.txt
sigrep-train -o w.sigrep one.txt two.txt >quiet
cp w.sigrep before.sigrep
kept() { # a bundle: is it as it was, and alone?
    cmp "$1" before.sigrep && ls "$1"*
}
echo "- a_full_stdout_replaces_no_bundle"
sigrep-calibrate -n 2 w.sigrep walk.txt >/dev/full
echo "status $?"
kept w.sigrep
sigrep-train -t 1 -o w.sigrep one.txt >/dev/full
echo "status $?"
kept w.sigrep
sigrep-calibrate -n 2 w.sigrep walk.txt >&-
echo "status $?"
kept w.sigrep
echo "- a_bundle_that_cannot_be_written: the thresholds are printed all the same"
mkdir taken.sigrep
ran sigrep-calibrate -n 2 -o taken.sigrep w.sigrep walk.txt | cut -f 1
ls -d taken.sigrep*
kept w.sigrep
echo "- owner_and_mode_stay: the owner's too, if root replaces it"
chmod 0640 w.sigrep
[ "$(id -u)" != 0 ] || chown 1234:4321 w.sigrep
stat -c '%u %g %a' w.sigrep >owner
sigrep-calibrate -n 2 w.sigrep walk.txt | cut -f 1
stat -c '%u %g %a' w.sigrep | cmp - owner && cut -d ' ' -f 3 owner
sigrep-train -o w.sigrep one.txt two.txt >quiet
stat -c '%u %g %a' w.sigrep | cmp - owner && cmp w.sigrep before.sigrep && echo the same
echo "- a_new_bundle_has_the_mode_of_new_files"
(umask 027 && sigrep-train -o new.sigrep one.txt two.txt >quiet && stat -c %a new.sigrep)
echo "- a_link_stays_a_link: its target is replaced"
mkdir there
mv w.sigrep there
ln -s there/w.sigrep w.sigrep
ln -s w.sigrep again.sigrep
sigrep-calibrate -n 2 again.sigrep walk.txt | cut -f 1
readlink again.sigrep w.sigrep
cmp -s there/w.sigrep before.sigrep || echo replaced
ls there
ln -s missing.sigrep broken.sigrep
ran sigrep-train -o broken.sigrep one.txt two.txt
readlink broken.sigrep
echo "- a_pipe_is_not_replaced: nor is the target of a link"
mkfifo pipe.sigrep
ln -s pipe.sigrep to_pipe.sigrep
for name in pipe to_pipe; do
    ran sigrep-train -o $name.sigrep one.txt two.txt
done
[ -p pipe.sigrep ] && ls pipe.sigrep*
echo "- a_read_only_bundle_is_kept: sigrep-calibrate replaces it with --force"
chmod 0444 new.sigrep
ln -s new.sigrep to_read_only.sigrep
cp new.sigrep before.sigrep
ran sigrep-train -o new.sigrep one.txt
ran sigrep-train -o to_read_only.sigrep one.txt
ran sigrep-calibrate -n 2 new.sigrep walk.txt | cut -f 1
kept new.sigrep
ran sigrep-calibrate --force -n 2 new.sigrep walk.txt | cut -f 1
cmp -s new.sigrep before.sigrep || stat -c '%a, replaced' new.sigrep
echo "- a_long_name_leaves_room_for_the_temporary_file"
long=$(printf '%248s' '' | tr ' ' n).sigrep # 255 bytes, the most that a name may have
sigrep-train -o "$long" one.txt two.txt >quiet
sigrep-train -o "$PWD/$long" one.txt two.txt >quiet
ls nn* | cut -c 240-
