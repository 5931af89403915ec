# Every way in which a bundle can be wrong has words of its own; status 2.
. "$SRC/tests/cli/signals"
hill >hill.txt
stream >stream.txt
lines 0 1 0 1 >zig.txt
sigrep-train -t 0.5 -o hill.sigrep hill.txt >quiet
size=$(wc -c <hill.sigrep)
# patch NAME OFFSET BYTE...: a copy of hill.sigrep with these bytes there
patch() {
    cp hill.sigrep "$1"
    patch_name=$1 patch_at=$2
    shift 2
    bytes "$@" | dd of="$patch_name" bs=1 seek="$patch_at" conv=notrunc 2>quiet
}
patch newer.sigrep 8 2 0 1 0
patch older.sigrep 8 0 0 9 0
patch damaged.sigrep 60 255
patch wav.sigrep 0 82 73 70 70
head -c 100 hill.sigrep >truncated.sigrep
head -c 10 hill.sigrep >very.sigrep
cat hill.sigrep hill.txt >longer.sigrep
: >empty.sigrep
mkdir folder.sigrep
for b in newer older damaged wav truncated very longer empty missing folder; do
    ran sigrep $b.sigrep stream.txt 2>&1 | sed "s/ $size\$/ SIZE/; s/of $size\$/of SIZE/; s/damaged: [0-9]* bytes/damaged: N bytes/"
done
echo "- it fits no other features"
sigrep-train -p diff -t 0.5 -o diff.sigrep hill.txt >quiet
sigrep-train -p diff+znorm=4 -r 2 -t 0.5 -o two_hz.sigrep hill.txt >quiet
sigrep-train -p diff+znorm=4 -r 3 -t 0.5 -o three_hz.sigrep hill.txt >quiet
ran sigrep -p diff hill.sigrep stream.txt 2>&1
ran sigrep -c -p raw hill.sigrep stream.txt 2>&1
ran sigrep -e hill.sigrep -e diff.sigrep stream.txt 2>&1
ran sigrep -e two_hz.sigrep -e three_hz.sigrep stream.txt 2>&1
ran sigrep two_hz.sigrep stream.txt 2>&1
ran sigrep hill.sigrep@1-2 stream.txt 2>&1
lines 1,2 3,4 >two.csv
ran sigrep hill.sigrep two.csv 2>&1
ran sigrep -e hill.sigrep -e two.csv stream.txt 2>&1
ran sigrep --scores hill.sigrep hill.sigrep stream.txt 2>&1
echo "- a_bundle_is_no_input, nor a template by another name"
ran sigrep hill.txt hill.sigrep 2>&1
ran sigrep hill.txt <hill.sigrep 2>&1
cp hill.sigrep bundle
ran sigrep -t 1 bundle stream.txt 2>&1
ran sigrep-train -o other.sigrep bundle 2>&1
ran sigrep-calibrate hill.sigrep bundle 2>&1
