/* read.c - bytes into a bundle; every value is checked (docs/FORMAT.md). */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "filter/bundle/format.h"
#include "filter/crc32.h"
#include "filter/finite.h"
#include "filter/status.h"
#include "kernels/float_env.h"

/* The rest of a section. Once something is wrong, all later reads give 0 or NULL. */
typedef struct {
    const unsigned char *at;
    size_t left;
    const char *wrong; /* the first thing that is wrong; NULL: nothing */
    bool no_memory;
} cursor;

static void demand(cursor *c, bool good, const char *wrong)
{
    if (!good && !c->wrong) c->wrong = wrong;
}

static const unsigned char *take_bytes(cursor *c, size_t n)
{
    demand(c, n <= c->left, "it ends too early");
    if (c->wrong) return NULL;
    const unsigned char *at = c->at;
    c->at += n;
    c->left -= n;
    return at;
}

static uint64_t take_whole(cursor *c, size_t n)
{
    const unsigned char *bytes = take_bytes(c, n);
    uint64_t x = 0;
    for (size_t i = 0; bytes && i < n; i++) x |= (uint64_t)bytes[i] << 8 * i;
    return x;
}

/* A finite number. */
static double take_double(cursor *c)
{
    const uint64_t bits = take_whole(c, 8);
    double x;
    memcpy(&x, &bits, sizeof x);
    demand(c, isfinite(x), "a number is not finite");
    return c->wrong ? 0 : x;
}

/* n > 0 frames of finite values. The caller frees them. */
static float *take_frames(cursor *c, size_t n, size_t dim)
{
    demand(c, n > 0, "it has no frame");
    demand(c, c->wrong || n <= c->left / sizeof(float) / dim, "it ends too early");
    if (c->wrong) return NULL;
    float *x = malloc(n * dim * sizeof *x);
    c->no_memory |= !x;
    for (size_t i = 0; x && i < n * dim; i++) {
        const uint32_t bits = (uint32_t)take_whole(c, 4);
        memcpy(&x[i], &bits, sizeof *x);
    }
    demand(c, x && finite_values(x, n * dim) == n * dim, "a frame is not finite");
    if (c->wrong) free(x);
    return c->wrong ? NULL : x;
}

/* A name. The caller frees it. */
static char *take_text(cursor *c)
{
    const size_t n = (size_t)take_whole(c, 2);
    const unsigned char *bytes = take_bytes(c, n);
    if (!bytes) return NULL;
    char *text = strndup((const char *)bytes, n);
    c->no_memory |= !text;
    demand(c, text && strlen(text) == n && bundle_is_name(text),
           "a name is empty, longer than 4096 bytes, or has control characters");
    if (c->wrong) free(text);
    return c->wrong ? NULL : text;
}

static sigrep_status bad(sigrep_error *error, const char *what)
{
    return status_fail(error, SIGREP_BAD_BUNDLE, "%s", what);
}

static sigrep_status bad_section(sigrep_error *error, const char *name, const cursor *c)
{
    return status_fail(error, SIGREP_BAD_BUNDLE, "damaged %s: %s", name, c->wrong);
}

/* This build must compute the frames that the bundle was made with. What the file does not hold of
 * a fingerprint is taken from it. */
static sigrep_status check_print(bundle *b, sigrep_error *error)
{
    fingerprint here;
    sigrep_error why;
    const double rate_hz = b->rate_hz > 0 ? b->rate_hz : 1;
    const sigrep_status status =
        fingerprint_create(&here, b->front_end, rate_hz, b->channels, &why);
    if (status)
        return status_fail(error, status, "its front end '%.40s' is none of this program's: %s",
                           b->front_end, why.text);
    const bool same = fingerprints_agree(&here, &b->print);
    b->print.hop = here.hop;
    b->print.memory = here.memory;
    b->print.last_stage = here.last_stage;
    free(here.frames);
    if (same) return SIGREP_OK;
    return status_fail(error, SIGREP_BAD_BUNDLE,
                       "its front end '%.40s' gives other features in this program; make it again "
                       "from the takes",
                       b->front_end);
}

static sigrep_status read_front_end(bundle *b, cursor *c, sigrep_error *error)
{
    if (b->front_end) return bad(error, "damaged: a second front end");
    b->rate_hz = take_double(c);
    b->channels = (size_t)take_whole(c, 4);
    b->dim = (size_t)take_whole(c, 4);
    b->is_audio = take_whole(c, 4) & BUNDLE_FLAG_AUDIO;
    b->front_end = take_text(c);
    const size_t n = (size_t)take_whole(c, 4);
    demand(c, b->rate_hz == 0 || (b->rate_hz >= BUNDLE_MIN_RATE && b->rate_hz <= BUNDLE_MAX_RATE),
           "its rate is not 0, or 1e-9 to 1e12 Hz");
    demand(c, b->channels >= 1 && b->channels <= BUNDLE_MAX_CHANNELS,
           "its channels are not 1 to 4096");
    demand(c, b->dim >= 1, "its frames have no values");
    b->print = (fingerprint){.frames = take_frames(c, n, b->dim), .n = n, .dim = b->dim};
    return c->wrong ? bad_section(error, "front end", c) : check_print(b, error);
}

static sigrep_status read_label(bundle *b, cursor *c, sigrep_error *error)
{
    const uint64_t flags = take_whole(c, 4);
    const size_t min_matches = (size_t)take_whole(c, 4);
    const double threshold = take_double(c), min = take_double(c), max = take_double(c);
    char *name = take_text(c);
    const double ceiling = c->left > 0 ? take_double(c) : 0; /* formats 1.0 and 1.1 have none */
    demand(c, ceiling >= 0, "its ceiling is below 0");
    demand(c, threshold >= 0, "its threshold is below 0");
    demand(c, 0 <= min && min <= max && 0 < max && max <= BUNDLE_MAX_GATE,
           "its length gate is not 0 <= MIN <= MAX <= 64, MAX above 0");
    const size_t before = b->n_labels;
    bundle_label *label = c->wrong ? NULL : bundle_label_of(b, name);
    free(name);
    if (!c->wrong && !label) return SIGREP_NO_MEMORY;
    demand(c, b->n_labels > before, "its name comes twice");
    if (c->wrong) return bad_section(error, "label", c);
    label->has_threshold = flags & BUNDLE_FLAG_THRESHOLD;
    label->threshold = label->has_threshold ? threshold + 0.0 : 0; /* no -0 */
    label->ceiling = ceiling + 0.0;
    label->min_matches = min_matches;
    label->length_min = min + 0.0;
    label->length_max = max;
    return SIGREP_OK;
}

static sigrep_status read_calibration(bundle *b, cursor *c, sigrep_error *error)
{
    bundle_label *label = b->n_labels ? &b->labels[b->n_labels - 1] : NULL;
    const double hours = take_double(c), per_hour = take_double(c), low = take_double(c);
    const bundle_calibration read = {.hours = hours,
                                     .per_hour = per_hour,
                                     .low = low,
                                     .high = take_double(c),
                                     .n_tail = (uint32_t)take_whole(c, 4),
                                     .is_extrapolated =
                                         take_whole(c, 4) & BUNDLE_FLAG_EXTRAPOLATED};
    demand(c, read.hours > 0, "its hours are not above 0");
    demand(c, read.per_hour > 0, "its false alarms an hour are not above 0");
    demand(c, 0 <= read.low && read.low <= read.high, "its interval is not 0 <= LOW <= HIGH");
    demand(c, label, "it comes before all labels");
    demand(c, label && label->has_threshold, "its label has no threshold");
    demand(c, label && !label->is_calibrated, "its label has two");
    if (c->wrong) return bad_section(error, "calibration", c);
    label->calibration = read;
    label->is_calibrated = true;
    return SIGREP_OK;
}

static sigrep_status read_take(bundle *b, cursor *c, sigrep_error *error)
{
    bundle_label *label = b->n_labels ? &b->labels[b->n_labels - 1] : NULL;
    const double weight = take_double(c), peer_score = take_double(c);
    char *name = take_text(c);
    const size_t length = (size_t)take_whole(c, 4);
    demand(c, label, "it comes before all labels");
    demand(c, weight > 0, "its weight is not above 0");
    demand(c, label && isfinite(label->threshold * weight), "its threshold is not finite");
    demand(c, label && isfinite(label->ceiling * weight), "its ceiling is not finite");
    demand(c, length >= 2, "it has fewer than 2 frames");
    float *frames = take_frames(c, length, b->dim);
    const double level = c->left > 0 ? take_double(c) : 0; /* format 1.0 has none */
    demand(c, level >= 0, "its level is below 0");
    const sigrep_status status = c->wrong ? bad_section(error, "take", c)
                                          : bundle_add_frames(b, label, name, frames, length);
    if (!status) {
        label->takes[label->n_takes - 1].weight = weight;
        label->takes[label->n_takes - 1].peer_score = peer_score;
        label->takes[label->n_takes - 1].level = level + 0.0; /* no -0 */
    }
    free(frames);
    free(name);
    return status;
}

/* Unknown sections come from a newer minor version, and are skipped. */
static sigrep_status read_section(bundle *b, const char *name, cursor *c, sigrep_error *error)
{
    const bool is_label = memcmp(name, "LABL", 4) == 0;
    const bool is_calibration = memcmp(name, "CALB", 4) == 0;
    const bool is_take = memcmp(name, "TAKE", 4) == 0;
    if (memcmp(name, "FRNT", 4) == 0) return read_front_end(b, c, error);
    if (!is_label && !is_calibration && !is_take) return SIGREP_OK;
    if (!b->front_end) return bad(error, "damaged: its front end does not come first");
    if (is_label) return read_label(b, c, error);
    return is_take ? read_take(b, c, error) : read_calibration(b, c, error);
}

static sigrep_status read_sections(bundle *b, cursor *c, sigrep_error *error)
{
    while (c->left > 0) {
        const char *name = (const char *)take_bytes(c, 4);
        const size_t n = (size_t)take_whole(c, 4);
        cursor section = {.at = take_bytes(c, n), .left = n};
        if (c->wrong) return bad(error, "damaged: a section goes beyond its end");
        const sigrep_status status = read_section(b, name, &section, error);
        if (status) return section.no_memory ? SIGREP_NO_MEMORY : status;
    }
    return SIGREP_OK;
}

static sigrep_status check_whole(const bundle *b, sigrep_error *error)
{
    if (!b->front_end) return bad(error, "damaged: it names no front end");
    if (!b->n_labels) return bad(error, "it holds no template");
    for (size_t i = 0; i < b->n_labels; i++) {
        const bundle_label *label = &b->labels[i];
        if (!label->n_takes) return bad(error, "damaged: a label has no take");
        if (label->min_matches < 1 || label->min_matches > label->n_takes)
            return status_fail(error, SIGREP_BAD_BUNDLE,
                               "damaged label: %zu takes must agree, not 1 to %zu",
                               label->min_matches, label->n_takes);
    }
    return SIGREP_OK;
}

/* Is it a bundle, of a version that this library reads, and whole? */
static sigrep_status check_envelope(const unsigned char *bytes, size_t size, sigrep_error *error)
{
    cursor c = {.at = bytes, .left = size};
    const unsigned char *magic = take_bytes(&c, BUNDLE_MAGIC_SIZE);
    if (!magic || memcmp(magic, BUNDLE_MAGIC, BUNDLE_MAGIC_SIZE) != 0)
        return bad(error, size ? "no bundle: it does not begin as one" : "no bundle: it is empty");
    const unsigned major = (unsigned)take_whole(&c, 2), minor = (unsigned)take_whole(&c, 2);
    const uint64_t declared = take_whole(&c, 8);
    if (!c.wrong && major != BUNDLE_MAJOR)
        return status_fail(error, SIGREP_BAD_BUNDLE,
                           "a bundle of format %u.%u; this program (sigrep " SIGREP_VERSION
                           ") reads format %d: %s",
                           major, minor, BUNDLE_MAJOR,
                           major > BUNDLE_MAJOR ? "a newer one is needed" : "make it again");
    if (c.wrong || declared > size)
        return status_fail(error, SIGREP_BAD_BUNDLE, "truncated: %zu bytes of %llu", size,
                           (unsigned long long)(c.wrong ? BUNDLE_HEADER_SIZE : declared));
    if (declared < size)
        return status_fail(error, SIGREP_BAD_BUNDLE, "damaged: %zu bytes, but it should have %llu",
                           size, (unsigned long long)declared);
    c = (cursor){.at = bytes + size - BUNDLE_CHECKSUM_SIZE, .left = BUNDLE_CHECKSUM_SIZE};
    if (size < BUNDLE_HEADER_SIZE + BUNDLE_CHECKSUM_SIZE ||
        take_whole(&c, 4) != crc32_of(bytes, size - BUNDLE_CHECKSUM_SIZE))
        return bad(error, "damaged: its checksum is wrong");
    return SIGREP_OK;
}

sigrep_status sigrep_bundle_read(bundle **out, const void *bytes, size_t size, sigrep_error *error)
{
    *out = NULL;
    if (error) *error = (sigrep_error){.template_index = SIZE_MAX};
    sigrep_status status = check_envelope(bytes, size, error);
    if (status) return status;
    bundle *b = calloc(1, sizeof *b);
    if (!b) return status_fail(error, SIGREP_NO_MEMORY, "out of memory");
    cursor c = {.at = (const unsigned char *)bytes + BUNDLE_HEADER_SIZE,
                .left = size - BUNDLE_HEADER_SIZE - BUNDLE_CHECKSUM_SIZE};
    const float_env before = float_env_enter();
    status = read_sections(b, &c, error);
    if (!status) status = check_whole(b, error);
    if (!status) status = bundle_list_templates(b);
    float_env_leave(before);
    if (status == SIGREP_NO_MEMORY) status_fail(error, status, "out of memory");
    if (status)
        sigrep_bundle_destroy(b);
    else
        *out = b;
    return status;
}
