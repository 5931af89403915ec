/* write.c - a bundle into bytes: docs/FORMAT.md, section by section. */
#include <stdlib.h>
#include <string.h>

#include "filter/bundle/format.h"
#include "filter/crc32.h"
#include "filter/status.h"

typedef struct {
    unsigned char *bytes;
    size_t size, capacity;
    size_t section; /* offset of the open section */
    bool failed, too_large;
} sink;

static void put(sink *s, const void *bytes, size_t n)
{
    s->too_large |= n > BUNDLE_MAX_SIZE - s->size;
    s->failed |= s->too_large;
    if (s->failed) return;
    if (s->size + n > s->capacity) {
        const size_t capacity = 2 * (s->size + n);
        unsigned char *grown = realloc(s->bytes, capacity);
        s->failed = !grown;
        if (!grown) return;
        s->bytes = grown;
        s->capacity = capacity;
    }
    memcpy(s->bytes + s->size, bytes, n);
    s->size += n;
}

/* The n lowest bytes of x, least byte first. */
static void put_whole(sink *s, uint64_t x, size_t n)
{
    unsigned char bytes[8];
    for (size_t i = 0; i < n; i++) bytes[i] = (unsigned char)(x >> 8 * i);
    put(s, bytes, n);
}

static void put_double(sink *s, double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    put_whole(s, bits, 8);
}

static void put_floats(sink *s, const float *x, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        uint32_t bits;
        memcpy(&bits, &x[i], sizeof bits);
        put_whole(s, bits, 4);
    }
}

static void put_text(sink *s, const char *text)
{
    const size_t n = strlen(text);
    put_whole(s, n, 2);
    put(s, text, n);
}

static void begin_section(sink *s, const char *name)
{
    s->section = s->size;
    put(s, name, 4);
    put_whole(s, 0, 4);
}

static void set_whole(sink *s, size_t at, uint64_t x, size_t n)
{
    for (size_t i = 0; i < n && !s->failed; i++) s->bytes[at + i] = (unsigned char)(x >> 8 * i);
}

static void end_section(sink *s)
{
    set_whole(s, s->section + 4, s->size - s->section - BUNDLE_SECTION_SIZE, 4);
}

static void put_front_end(sink *s, const bundle *b)
{
    begin_section(s, "FRNT");
    put_double(s, b->rate_hz);
    put_whole(s, b->channels, 4);
    put_whole(s, b->dim, 4);
    put_whole(s, b->is_audio ? BUNDLE_FLAG_AUDIO : 0, 4);
    put_text(s, b->front_end);
    put_whole(s, b->print.n, 4);
    put_floats(s, b->print.frames, b->print.n * b->dim);
    end_section(s);
}

static void put_calibration(sink *s, const bundle_calibration *c)
{
    begin_section(s, "CALB");
    put_double(s, c->hours);
    put_double(s, c->per_hour);
    put_double(s, c->low);
    put_double(s, c->high);
    put_whole(s, c->n_tail, 4);
    put_whole(s, c->is_extrapolated ? BUNDLE_FLAG_EXTRAPOLATED : 0, 4);
    end_section(s);
}

static void put_take(sink *s, const bundle *b, const bundle_take *take)
{
    begin_section(s, "TAKE");
    put_double(s, take->weight);
    put_double(s, take->peer_score);
    put_text(s, take->name);
    put_whole(s, take->length, 4);
    put_floats(s, take->frames, take->length * b->dim);
    put_double(s, take->level);
    end_section(s);
}

static void put_label(sink *s, const bundle *b, const bundle_label *label)
{
    begin_section(s, "LABL");
    put_whole(s, label->has_threshold ? BUNDLE_FLAG_THRESHOLD : 0, 4);
    put_whole(s, label->min_matches, 4);
    put_double(s, label->has_threshold ? label->threshold : 0);
    put_double(s, label->length_min);
    put_double(s, label->length_max);
    put_text(s, label->name);
    put_double(s, label->ceiling);
    end_section(s);
    if (label->is_calibrated) put_calibration(s, &label->calibration);
    for (size_t i = 0; i < label->n_takes; i++) put_take(s, b, &label->takes[i]);
}

static sigrep_status check(const bundle *b, sigrep_error *error)
{
    if (!b->n_labels) return status_fail(error, SIGREP_BAD_BUNDLE, "it holds no template");
    if (bundle_is_name(b->front_end)) return SIGREP_OK;
    return status_fail(error, SIGREP_BAD_BUNDLE, "its front end is longer than %d bytes",
                       BUNDLE_MAX_NAME);
}

static void put_bundle(sink *s, const bundle *b)
{
    put(s, BUNDLE_MAGIC, BUNDLE_MAGIC_SIZE);
    put_whole(s, BUNDLE_MAJOR, 2);
    put_whole(s, BUNDLE_MINOR, 2);
    put_whole(s, 0, 8); /* the size, once it is known */
    put_front_end(s, b);
    for (size_t i = 0; i < b->n_labels; i++) put_label(s, b, &b->labels[i]);
    set_whole(s, BUNDLE_HEADER_SIZE - 8, s->size + BUNDLE_CHECKSUM_SIZE, 8);
    if (!s->failed) put_whole(s, crc32_of(s->bytes, s->size), 4);
}

sigrep_status sigrep_bundle_write(bundle *b, const void **bytes, size_t *size, sigrep_error *error)
{
    *bytes = NULL;
    *size = 0;
    if (error) *error = (sigrep_error){.template_index = SIZE_MAX};
    const sigrep_status status = check(b, error);
    if (status) return status;
    sink s = {0};
    put_bundle(&s, b);
    if (s.failed) {
        free(s.bytes);
        if (!s.too_large) return status_fail(error, SIGREP_NO_MEMORY, "out of memory");
        return status_fail(error, SIGREP_BAD_BUNDLE, "larger than %llu bytes",
                           (unsigned long long)BUNDLE_MAX_SIZE);
    }
    free(b->bytes);
    *bytes = b->bytes = s.bytes;
    *size = s.size;
    return SIGREP_OK;
}
