# gzip, bgzip and zstd are unpacked. Other packed or coded texts are refused with a cure.
. "$SRC/tests/cli/signals"
search() {
    ran sigrep-text -k 0 --alphabet dna ACGTTGCA
}
printf '>chr1\nTTACGTTGCATT\n' >text
gzip -c text | search
zstd -qc text | search
# What bgzip writes: members of gzip with an extra field, the last one empty.
base64 -d <<'B' | search
H4sIBAAAAAAA/wYAQkMCACcAs0vOKDLkCglxdHYPAQAyE09mDAAAAB+LCAQAAAAAAP8GAEJDAgAi
AAtxd3YMCeECAO3C5zEHAAAAH4sIBAAAAAAA/wYAQkMCABsAAwAAAAAAAAAAAA==
B
xz -c text | search
bzip2 -c text | search
iconv -f UTF-8 -t UTF-16 text | search
