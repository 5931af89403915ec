# -j: the bytes of one thread, of large and small inputs, records and patterns, also if it stops.
python3 - <<'END'
import random
random.seed(42)
word = "ACGTTGCATGCC"
def letters(n):
    return "".join(random.choices("ACGT", k=n))
def spoiled():
    return "".join(c if random.random() < .9 else random.choice("ACGT") for c in word)
dna = "".join(letters(4000) + spoiled() for _ in range(600))
with open("large.fa", "w") as file:
    file.write(">chr1\n" + "\n".join(dna[i:i + 60] for i in range(0, len(dna), 60)) + "\n")
    file.write("".join(f">short{i}\n{spoiled() * 3}\n" for i in range(4000)))
    file.write(">empty\n" * 40000 + ">end\nACGT!T\n")
late = word + "A" * 1500000
with open("late.fa", "w") as file:
    file.write(f">odd\n{late}!\n")
with open("late.fq", "w") as file:
    file.write(f"@bad\n{late}\n@worse\n")
with open("reads.fq", "w") as file:
    for i in range(3000):
        read = letters(random.randrange(60)) + spoiled()
        file.write(f"@r{i}\n{read}\n+\n{'@' * len(read)}\n")
with open("few", "w") as file:
    file.write("ACGTTGCATGCC\nGGATCCAAG\n")
with open("many", "w") as file:
    file.write("".join(letters(9) + "\n" for _ in range(9)))
END
gzip -c large.fa >large.fa.gz
for options in '-f few -o json' '-f many -m 900' '-f few --overhang 50% -o sam' '-f few -b 5'; do
    sigrep-text -k 1 --alphabet dna $options reads.fq large.fa >one 2>one.err
    for threads in 2 3; do
        sigrep-text -j $threads -k 1 --alphabet dna $options reads.fq large.fa \
            >other 2>other.err
        cmp one other && cmp one.err other.err
    done
    [ -s one ] && wc -l <one.err
done
sigrep-text -k 1 ACGTTGCATGCC <large.fa >one
gzip -dc large.fa.gz | sigrep-text -j 2 -k 1 ACGTTGCATGCC | cmp - one
sigrep-text -j 2 -k 1 ACGTTGCATGCC large.fa.gz | cmp - one
# A record that cannot be read: what comes before it is printed.
(cat reads.fq && printf '@bad\nACGTTGCATGCC\n@worse\n') >cut.fq
sigrep-text -k 0 --alphabet dna ACGTTGCATGCC cut.fq | tail -n 1 | cut -f 6
sigrep-text -k 0 --alphabet dna -m 2 ACGTTGCATGCC cut.fq | wc -l
# What comes behind the last match that is wanted is not reported, in one batch or in two.
for threads in 1 2; do
    sigrep-text -j $threads -k 0 --alphabet dna -m 1 ACGTTGCATGCC late.fa late.fq
done
sigrep-text -j 0 -k 1 A large.fa
sigrep-text -j 2 --whole reads.fq reads.fq
