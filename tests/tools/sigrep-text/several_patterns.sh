# Patterns of a file and of -e; matches in the order in which they became final.
printf 'fox\nlazy dog\nquick\n' >patterns
printf 'the quick brown fox jumps over the lazy dog' >text
sigrep-text -k 1 -f patterns text
sigrep-text -k 1 -f patterns -e jumps -m 2 text
printf 'fox' | sigrep-text -k 0 -f - text
