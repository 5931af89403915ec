# score.awk - compare matches with annotated beats.
#
#     awk -v rate=360 -v shift=-0.025 -f score.awk BEATS.csv MATCHES
#
# BEATS.csv: "SAMPLE,SYMBOL" a line; the symbol + is no beat. MATCHES: what sigrep prints,
# "START END SCORE LABEL" in seconds. A match stands at the time END + shift. It belongs to the
# nearest beat of any kind within `tolerance` seconds (0.075).
#
#    right       the first match that belongs to a beat of the class `wanted` (N)
#    false       any other match: at a beat of another class or at no beat, or a second one
#    recall      found beats / all beats of the class
#    precision   right matches / all matches
#
# Prints both, and the missed beats. Exits with 1 if one is below `bar` (0.99).

BEGIN {
    FS = "[,\t]"
    if (!rate) rate = 360
    if (!tolerance) tolerance = 0.075
    if (!wanted) wanted = "N"
    if (!bar) bar = 0.99
}

# The beats, in order of time.
FILENAME == ARGV[1] {
    if ($1 !~ /^[0-9]+$/ || $2 == "+") next
    time[++beats] = $1 / rate
    class[beats] = $2
    if ($2 == wanted) normal++
    next
}

# The matches, in any order: binary search for the first beat that is not before.
{
    at = $2 + shift
    low = 1
    high = beats + 1
    while (low < high) {
        middle = int((low + high) / 2)
        if (time[middle] < at) low = middle + 1
        else high = middle
    }
    near = low
    if (near > beats || (near > 1 && at - time[near - 1] <= time[near] - at)) near--
    matches++
    distance = at < time[near] ? time[near] - at : at - time[near]
    if (distance > tolerance) nowhere++
    else if (class[near] != wanted) other[class[near]]++
    else if (found[near]++) twice++
    else {
        right++
        if (distance > largest) largest = distance
    }
}

END {
    if (!normal) {
        print "score.awk: no beats" > "/dev/stderr"
        exit 2
    }
    recall = right / normal
    precision = matches ? right / matches : 0
    printf "matches     %d: %d right", matches, right
    for (symbol in other) printf ", %d at %s beats", other[symbol], symbol
    printf ", %d twice, %d at no beat\n", twice, nowhere
    printf "recall      %.4f  (%d of %d beats %s)\n", recall, right, normal, wanted
    printf "precision   %.4f\n", precision
    printf "time        all within %.0f ms of the annotation\n", 1000 * largest
    printf "missed     "
    for (i = 1; i <= beats; i++)
        if (class[i] == wanted && !found[i] && ++missed <= 20) printf " %.3f s", time[i]
    print (missed > 20 ? " ..." : missed ? "" : " none")
    exit recall < bar || precision < bar
}
