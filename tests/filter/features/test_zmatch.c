/* filter/features/zmatch.c: samples pass as they are; the band; what it refuses. The search itself:
 * tests/stream/test_zmatch_streams.c. */
#include "tests/filter/features/front_end_help.h"

static void samples_pass_unchanged(void)
{
    const float x[] = {1, -2.5f, 1e30f, 0, 7};
    float y[HELP_MAX_VALUES];
    CHECK(help_once("zmatch", 1, 1, x, 5, y) == 5);
    CHECK(memcmp(x, y, sizeof x) == 0);
}

static void the_band_is_a_twentieth_or_the_argument(void)
{
    const struct {
        const char *spec;
        double band;
    } cases[] = {{"zmatch", 0.05}, {"zmatch=0", 0}, {"diff+zmatch=0.1", 0.1}, {"zmatch=1", 1}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        front_end *chain = help_create(cases[i].spec, 1, 1);
        double band = -1;
        CHECK_MSG(front_end_normalises(chain, &band) && band == cases[i].band, "%s: %g",
                  cases[i].spec, band);
        front_end_destroy(chain);
    }
    front_end *other = help_create("znorm=5", 1, 1);
    double band = -1;
    CHECK(!front_end_normalises(other, &band) && band == -1);
    front_end_destroy(other);
}

static void what_it_cannot_do_is_refused(void)
{
    help_expect_error("zmatch=1.5", 1,
                      "zmatch=1.5: not a share of the template's length from 0 to 1");
    help_expect_error("zmatch=x", 1, "zmatch=x: not a share of the template's length from 0 to 1");
    help_expect_error("zmatch=-0.1", 1,
                      "zmatch=-0.1: not a share of the template's length from 0 to 1");
    help_expect_error("zmatch+diff", 1, "diff after zmatch, which must be the last stage");
}

int main(void)
{
    RUN(samples_pass_unchanged);
    RUN(the_band_is_a_twentieth_or_the_argument);
    RUN(what_it_cannot_do_is_refused);
    return check_done();
}
