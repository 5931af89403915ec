/* filter/bundle/fingerprint.c: which front ends have the same fingerprint. */
#include "filter/bundle/fingerprint.h"

#include <stdlib.h>

#include "tests/check.h"

static bool agree(const char *a, double a_hz, const char *b, double b_hz)
{
    fingerprint x, y;
    CHECK(fingerprint_create(&x, a, a_hz, 1, NULL) == SIGREP_OK);
    CHECK(fingerprint_create(&y, b, b_hz, 1, NULL) == SIGREP_OK);
    const bool same = fingerprints_agree(&x, &y);
    free(x.frames);
    free(y.frames);
    return same;
}

static void fingerprints_differ_if_front_ends_do(void)
{
    CHECK(agree("mfcc", 8000, "mfcc", 8000));
    CHECK(agree("raw+znorm=2", 8000, "znorm=2", 8000));
    CHECK(!agree("mfcc", 8000, "mfcc", 8001));
    CHECK(!agree("mfcc", 8000, "bandpass=5-3900+mfcc", 8000));
    CHECK(!agree("logmel=26", 8000, "logmel=27", 8000));
    CHECK(!agree("znorm=1", 8000, "znorm=1.001", 8000));
    CHECK(!agree("raw", 8000, "diff", 8000));
}

int main(void)
{
    RUN(fingerprints_differ_if_front_ends_do);
    return check_done();
}
