/* filter/bundle/read.c: bundles as write.c makes them are read; all others are refused. */
#include "tests/filter/bundle/bundle_help.h"

#include <float.h>

static void refused(const bundle_file *f, const char *words)
{
    sigrep_error error;
    CHECK_MSG(status_of(f, &error) == SIGREP_BAD_BUNDLE, "%s", words);
    CHECK_MSG(strcmp(error.text, words) == 0, "'%s' instead of '%s'", error.text, words);
}

static void a_bundle_that_ends_early_is_truncated(void)
{
    const bundle_file whole = file_of(small_bundle());
    for (size_t n = 1; n < whole.size; n++) {
        sigrep_error error;
        bundle_file f = {malloc(n), n}; /* sanitizers see a read beyond it */
        memcpy(f.bytes, whole.bytes, n);
        CHECK(status_of(&f, &error) == SIGREP_BAD_BUNDLE);
        const char *begins = n < BUNDLE_MAGIC_SIZE ? "no bundle: " : "truncated: ";
        CHECK_MSG(strncmp(error.text, begins, strlen(begins)) == 0, "%zu: %s", n, error.text);
        free(f.bytes);
    }
    refused(&(bundle_file){whole.bytes, 0}, "no bundle: it is empty");
    free(whole.bytes);
}

static void any_byte_that_changed_is_noticed(void)
{
    bundle_file f = file_of(small_bundle());
    for (size_t i = 0; i < f.size; i++) {
        f.bytes[i] ^= 16;
        CHECK_MSG(status_of(&f, NULL) == SIGREP_BAD_BUNDLE, "byte %zu", i);
        f.bytes[i] ^= 16;
    }
    f.bytes[60] ^= 1;
    refused(&f, "damaged: its checksum is wrong");
    free(f.bytes);
}

static void bytes_after_the_end_are_noticed(void)
{
    bundle_file f = file_of(small_bundle());
    const size_t size = f.size;
    f.bytes = realloc(f.bytes, size + 1);
    f.bytes[f.size++] = 0;
    char words[100];
    snprintf(words, sizeof words, "damaged: %zu bytes, but it should have %zu", size + 1, size);
    refused(&f, words);
    free(f.bytes);
}

static void another_major_version_is_refused_by_name(void)
{
    bundle_file f = file_of(small_bundle());
    f.bytes[8] = 2;
    f.bytes[10] = 3;
    put_right(&f);
    refused(&f, "a bundle of format 2.3; this program (sigrep " SIGREP_VERSION
                ") reads format 1: a newer one is needed");
    f.bytes[8] = 0;
    put_right(&f);
    refused(&f, "a bundle of format 0.3; this program (sigrep " SIGREP_VERSION
                ") reads format 1: make it again");
    free(f.bytes);
}

/* Unknown sections, and fields after the known ones. */
static void additions_of_a_newer_minor_version_are_skipped(void)
{
    static const unsigned char section[] = {'N', 'E', 'W', '!', 3, 0, 0, 0, 1, 2, 3};
    bundle_file f = file_of(small_bundle());
    f.bytes[10] = 9;
    insert(&f, section_at(&f, "TAKE", 1), section, sizeof section);
    insert(&f, BUNDLE_HEADER_SIZE, section, sizeof section);
    static const char *const known[] = {"FRNT", "LABL", "CALB", "TAKE"};
    for (size_t i = 0; i < 4; i++) {
        const size_t at = section_at(&f, known[i], 0);
        f.bytes[at + 4] = (unsigned char)(f.bytes[at + 4] + 2);
        const unsigned char *b = f.bytes + at;
        insert(&f, at + 8 + b[4] + ((size_t)b[5] << 8) - 2, "??", 2);
    }
    sigrep_error error;
    CHECK_MSG(status_of(&f, &error) == SIGREP_OK, "%s", error.text);
    free(f.bytes);
}

/* Remove n bytes before the end of the i-th section of that name. */
static void shorten(bundle_file *f, const char *name, size_t i, unsigned n)
{
    const size_t at = section_at(f, name, i), end = at + 8 + f->bytes[at + 4];
    f->bytes[at + 4] = (unsigned char)(f->bytes[at + 4] - n);
    memmove(f->bytes + end - n, f->bytes + end, f->size - end);
    f->size -= n;
    put_right(f);
}

static void format_1_0_has_no_levels_and_no_ceilings(void)
{
    bundle_file f = file_of(small_bundle());
    f.bytes[10] = 0;
    for (size_t i = 0; i < 3; i++) shorten(&f, "TAKE", i, 8);
    for (size_t i = 0; i < 2; i++) shorten(&f, "LABL", i, 8);
    bundle *b;
    sigrep_error error;
    CHECK_MSG(sigrep_bundle_read(&b, f.bytes, f.size, &error) == SIGREP_OK, "%s", error.text);
    CHECK(b->n_templates == 3 && b->labels[0].takes[1].frames[5] == 0);
    for (size_t i = 0; i < b->n_templates; i++) CHECK(b->templates[i].level == 0);
    CHECK(b->labels[0].ceiling == 0 && b->labels[0].threshold == 0.25);
    sigrep_bundle_destroy(b);
    free(f.bytes);
    f = file_of(small_bundle());
    shorten(&f, "TAKE", 1, 3);
    refused(&f, "damaged take: it ends too early");
    free(f.bytes);
}

/* Change `value` at `offset` of the first section of that name and read. */
static void damage(const char *name, size_t offset, const void *value, size_t n, const char *words)
{
    bundle_file f = file_of(small_bundle());
    memcpy(f.bytes + section_at(&f, name, 0) + 8 + offset, value, n);
    put_right(&f);
    refused(&f, words);
    free(f.bytes);
}

/* On little-endian machines, whose numbers are those of the file. */
static void values_out_of_range_are_refused_by_name(void)
{
    const double nan = NAN, inf = INFINITY, minus = -1, wide = 65, huge = 1e13, most64 = DBL_MAX;
    const uint32_t none = 0, one = 1, many = 3, most = UINT32_MAX;
    const float nan32 = NAN;
    static const char number[] = "a number is not finite";
    static const char rate[] = "damaged front end: its rate is not 0, or 1e-9 to 1e12 Hz";
    static const char channels[] = "damaged front end: its channels are not 1 to 4096";
    static const char name[] =
        "damaged label: a name is empty, longer than 4096 bytes, or has control characters";
    char text[64];
    snprintf(text, sizeof text, "damaged front end: %s", number);
    damage("FRNT", 0, &nan, 8, text);
    damage("FRNT", 0, &huge, 8, rate);
    damage("FRNT", 8, &none, 4, channels);
    damage("FRNT", 8, &most, 4, channels);
    damage("FRNT", 12, &none, 4, "damaged front end: its frames have no values");
    damage("FRNT", 12, &most, 4, "damaged front end: it ends too early");
    damage("FRNT", 25, &none, 4, "damaged front end: it has no frame");
    damage("FRNT", 29, &nan32, 4, "damaged front end: a frame is not finite");
    snprintf(text, sizeof text, "damaged label: %s", number);
    damage("LABL", 8, &nan, 8, text);
    damage("LABL", 8, &minus, 8, "damaged label: its threshold is below 0");
    damage("LABL", 24, &wide, 8,
           "damaged label: its length gate is not 0 <= MIN <= MAX <= 64, MAX above 0");
    damage("LABL", 34, "\0", 1, name);
    damage("LABL", 34, "\033", 1, name);
    damage("LABL", 38, &minus, 8, "damaged label: its ceiling is below 0");
    damage("LABL", 38, &nan, 8, text);
    damage("LABL", 38, &most64, 8, "damaged take: its ceiling is not finite");
    damage("LABL", 4, &none, 4, "damaged label: 0 takes must agree, not 1 to 2");
    damage("LABL", 4, &many, 4, "damaged label: 3 takes must agree, not 1 to 2");
    damage("CALB", 0, &minus, 8, "damaged calibration: its hours are not above 0");
    damage("CALB", 8, &minus, 8, "damaged calibration: its false alarms an hour are not above 0");
    damage("CALB", 16, &wide, 8, "damaged calibration: its interval is not 0 <= LOW <= HIGH");
    snprintf(text, sizeof text, "damaged calibration: %s", number);
    damage("CALB", 24, &inf, 8, text);
    damage("LABL", 0, &none, 4, "damaged calibration: its label has no threshold");
    damage("TAKE", 0, &minus, 8, "damaged take: its weight is not above 0");
    snprintf(text, sizeof text, "damaged take: %s", number);
    damage("TAKE", 8, &nan, 8, text);
    damage("TAKE", 25, &one, 4, "damaged take: it has fewer than 2 frames");
    damage("TAKE", 25, &most, 4, "damaged take: it ends too early");
    damage("TAKE", 29, &nan32, 4, "damaged take: a frame is not finite");
    damage("TAKE", 49, &minus, 8, "damaged take: its level is below 0");
    damage("TAKE", 49, &inf, 8, text);
}

static void a_label_must_not_come_twice(void)
{
    bundle_file f = file_of(small_bundle());
    memcpy(f.bytes + section_at(&f, "LABL", 1) + 8 + 34, "hill", 4);
    put_right(&f);
    refused(&f, "damaged label: its name comes twice");
    free(f.bytes);
}

/* Insert a copy of the i-th section of that name at offset `at`. */
static void repeat(bundle_file *f, const char *name, size_t i, size_t at)
{
    const size_t from = section_at(f, name, i);
    const size_t n = 8 + ((size_t)f->bytes[from + 4] | (size_t)f->bytes[from + 5] << 8);
    unsigned char copy[256];
    CHECK(n <= sizeof copy);
    memcpy(copy, f->bytes + from, n);
    insert(f, at, copy, n);
}

static void a_calibration_must_not_come_twice(void)
{
    bundle_file f = file_of(small_bundle());
    repeat(&f, "CALB", 0, section_at(&f, "TAKE", 0));
    refused(&f, "damaged calibration: its label has two");
    free(f.bytes);
}

static void a_label_before_the_front_end_is_not_skipped(void)
{
    bundle_file f = file_of(small_bundle());
    repeat(&f, "LABL", 1, BUNDLE_HEADER_SIZE);
    refused(&f, "damaged: its front end does not come first");
    free(f.bytes);
}

static void a_section_must_end_within_the_file(void)
{
    bundle_file f = file_of(small_bundle());
    f.bytes[section_at(&f, "TAKE", 2) + 7] = 1;
    put_right(&f);
    refused(&f, "damaged: a section goes beyond its end");
    free(f.bytes);
}

static void a_bundle_without_a_template_is_refused(void)
{
    bundle_file f = file_of(small_bundle());
    f.size = section_at(&f, "LABL", 0) + BUNDLE_CHECKSUM_SIZE;
    put_right(&f);
    refused(&f, "it holds no template");
    free(f.bytes);
}

/* The front end is unknown, or computes other frames. */
static void other_features_are_refused(void)
{
    sigrep_error error;
    bundle_file f = file_of(small_bundle());
    const size_t spec = section_at(&f, "FRNT", 0) + 8 + 22;
    memcpy(f.bytes + spec, "ram", 3);
    put_right(&f);
    CHECK(status_of(&f, &error) == SIGREP_BAD_FRONT_END);
    CHECK(strncmp(error.text, "its front end 'ram' is none of this program's: ", 47) == 0);
    memcpy(f.bytes + spec, "raw", 3);
    f.bytes[spec + 3 + 4 + 3] ^= 1; /* a float of its fingerprint */
    put_right(&f);
    refused(&f, "its front end 'raw' gives other features in this program; make it again from the "
                "takes");
    free(f.bytes);
}

int main(void)
{
    RUN(a_bundle_that_ends_early_is_truncated);
    RUN(any_byte_that_changed_is_noticed);
    RUN(bytes_after_the_end_are_noticed);
    RUN(another_major_version_is_refused_by_name);
    RUN(additions_of_a_newer_minor_version_are_skipped);
    RUN(format_1_0_has_no_levels_and_no_ceilings);
    RUN(values_out_of_range_are_refused_by_name);
    RUN(a_label_must_not_come_twice);
    RUN(a_calibration_must_not_come_twice);
    RUN(a_label_before_the_front_end_is_not_skipped);
    RUN(a_section_must_end_within_the_file);
    RUN(a_bundle_without_a_template_is_refused);
    RUN(other_features_are_refused);
    return check_done();
}
