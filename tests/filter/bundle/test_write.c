/* filter/bundle/write.c: what is written can be read. */
#include "tests/filter/bundle/bundle_help.h"

static void a_written_bundle_reads_as_the_same(void)
{
    bundle_file f = file_of(small_bundle());
    bundle *b;
    CHECK(sigrep_bundle_read(&b, f.bytes, f.size, NULL) == SIGREP_OK);
    CHECK(strcmp(b->front_end, "raw") == 0 && b->rate_hz == 0 && b->channels == 1 && b->dim == 1);
    CHECK(b->n_labels == 2 && b->n_templates == 3 && !b->is_audio);
    const bundle_label *hill = &b->labels[0];
    CHECK(strcmp(hill->name, "hill") == 0 && hill->n_takes == 2 && hill->min_matches == 2);
    CHECK(hill->has_threshold && hill->threshold == 0.25 && hill->ceiling == 0.5);
    CHECK(hill->length_min == 0.75 && hill->length_max == 1.5);
    const bundle_calibration *c = &hill->calibration;
    CHECK(hill->is_calibrated && c->hours == 2.5 && c->per_hour == 0.5 && c->low == 0.2);
    CHECK(c->high == 0.3 && c->n_tail == 40 && !c->is_extrapolated);
    const bundle_take *two = &hill->takes[1];
    CHECK(strcmp(two->name, "two.txt") == 0 && two->length == 6 && two->weight == 1.25);
    CHECK(two->level == 0.625 && hill->takes[0].level == 0);
    CHECK(two->peer_score == 0.375 && two->frames[1] == 2 && hill->takes[0].peer_score == -1);
    CHECK(!b->labels[1].has_threshold && b->labels[1].ceiling == 0 && !b->labels[1].is_calibrated);
    const void *again;
    size_t size;
    CHECK(sigrep_bundle_write(b, &again, &size, NULL) == SIGREP_OK);
    CHECK(size == f.size && memcmp(again, f.bytes, size) == 0);
    sigrep_bundle_destroy(b);
    free(f.bytes);
}

static void not_written(bundle *b, const char *words)
{
    const void *bytes;
    size_t size;
    sigrep_error error;
    CHECK(sigrep_bundle_write(b, &bytes, &size, &error) == SIGREP_BAD_BUNDLE);
    CHECK_MSG(strcmp(error.text, words) == 0, "%s", error.text);
    CHECK(!bytes && size == 0);
    sigrep_bundle_destroy(b);
}

static void a_bundle_that_could_not_be_read_is_not_written(void)
{
    static const sigrep_bundle_info empty = {
        .size = sizeof empty, .front_end = "diff", .channels = 1};
    bundle *b;
    CHECK(sigrep_bundle_create(&b, &empty, NULL) == SIGREP_OK);
    not_written(b, "it holds no template");
    b = small_bundle();
    free(b->front_end);
    b->front_end = calloc(BUNDLE_MAX_NAME + 2, 1);
    memset(b->front_end, 'x', BUNDLE_MAX_NAME + 1);
    not_written(b, "its front end is longer than 4096 bytes");
}

int main(void)
{
    RUN(a_written_bundle_reads_as_the_same);
    RUN(a_bundle_that_could_not_be_read_is_not_written);
    return check_done();
}
