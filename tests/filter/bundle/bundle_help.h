/* bundle_help.h - a small bundle, and its bytes to be tampered with. */
#ifndef TESTS_FILTER_BUNDLE_BUNDLE_HELP_H
#define TESTS_FILTER_BUNDLE_BUNDLE_HELP_H

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "filter/bundle/format.h"
#include "filter/crc32.h"
#include "tests/check.h"

/* Two labels of raw numbers, one of them with two takes, calibrated. */
static inline bundle *small_bundle(void)
{
    static const float one[] = {0, 1, 3, 1, 0}, two[] = {0, 2, 3, 2, 0, 0};
    static const sigrep_bundle_info info = {.size = sizeof info, .front_end = "raw", .channels = 1};
    bundle *b;
    CHECK(sigrep_bundle_create(&b, &info, NULL) == SIGREP_OK);
    bundle_label *hill = bundle_label_of(b, "hill");
    CHECK(bundle_add_frames(b, hill, "one.txt", one, 5) == SIGREP_OK);
    CHECK(bundle_add_frames(b, hill, "two.txt", two, 6) == SIGREP_OK);
    hill->has_threshold = hill->is_calibrated = true;
    hill->threshold = 0.25;
    hill->ceiling = 0.5;
    hill->length_min = 0.75;
    hill->length_max = 1.5;
    hill->min_matches = 2;
    hill->calibration =
        (bundle_calibration){.hours = 2.5, .per_hour = 0.5, .low = 0.2, .high = 0.3, .n_tail = 40};
    hill->takes[1].weight = 1.25;
    hill->takes[1].peer_score = 0.375;
    hill->takes[1].level = 0.625;
    bundle_label *flat = bundle_label_of(b, "flat");
    CHECK(bundle_add_frames(b, flat, "flat.txt", two + 4, 2) == SIGREP_OK);
    CHECK(bundle_list_templates(b) == SIGREP_OK);
    return b;
}

typedef struct {
    unsigned char *bytes;
    size_t size;
} bundle_file;

static inline bundle_file file_of(bundle *b)
{
    const void *bytes;
    bundle_file f;
    CHECK(sigrep_bundle_write(b, &bytes, &f.size, NULL) == SIGREP_OK);
    f.bytes = malloc(f.size);
    memcpy(f.bytes, bytes, f.size);
    sigrep_bundle_destroy(b);
    return f;
}

/* Correct size and checksum after a change. */
static inline void put_right(bundle_file *f)
{
    for (size_t i = 0; i < 8; i++) f->bytes[12 + i] = (unsigned char)((uint64_t)f->size >> 8 * i);
    const uint32_t crc = crc32_of(f->bytes, f->size - 4);
    for (size_t i = 0; i < 4; i++) f->bytes[f->size - 4 + i] = (unsigned char)(crc >> 8 * i);
}

/* Insert n bytes at offset `at`. */
static inline void insert(bundle_file *f, size_t at, const void *bytes, size_t n)
{
    f->bytes = realloc(f->bytes, f->size + n);
    memmove(f->bytes + at + n, f->bytes + at, f->size - at);
    memcpy(f->bytes + at, bytes, n);
    f->size += n;
    put_right(f);
}

/* The offset of the i-th section of that name. */
static inline size_t section_at(const bundle_file *f, const char *name, size_t i)
{
    size_t at = BUNDLE_HEADER_SIZE;
    while (at + 8 <= f->size - 4) {
        const unsigned char *b = f->bytes + at;
        if (memcmp(b, name, 4) == 0 && i-- == 0) return at;
        at += 8 + ((size_t)b[4] | (size_t)b[5] << 8 | (size_t)b[6] << 16 | (size_t)b[7] << 24);
    }
    CHECK_MSG(0, "no section %s", name);
    return 0;
}

/* Read the bundle. Returns the status. */
static inline sigrep_status status_of(const bundle_file *f, sigrep_error *error)
{
    bundle *b;
    const sigrep_status status = sigrep_bundle_read(&b, f->bytes, f->size, error);
    CHECK((status == SIGREP_OK) == (b != NULL));
    sigrep_bundle_destroy(b);
    return status;
}

#endif
