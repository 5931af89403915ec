#include "filter/state/state.h"

#include <stdlib.h>
#include <string.h>

#include "filter/crc32.h"
#include "filter/grown.h"
#include "filter/status.h"

/* As in PNG, a transfer as text breaks it, since that changes line ends or bit 7. */
static const unsigned char magic[8] = "\x89SGS\r\n\x1a\n";

enum { FORMAT = 1, VERSION_SIZE = 16, SIZE_AT = sizeof magic + 8 + VERSION_SIZE, CHECKSUM = 4 };

void state_free(state_bytes *st)
{
    free(st->to);
    *st = (state_bytes){.to = NULL};
}

/* The next n bytes of what is written, or NULL. */
static unsigned char *append(state_bytes *st, size_t n)
{
    unsigned char *to =
        st->is_full || n > SIZE_MAX - st->at ? NULL : grown(st->to, &st->capacity, st->at + n, 1);
    st->is_full |= !to;
    if (!to) return NULL;
    st->to = to;
    st->at += n;
    return to + st->at - n;
}

/* The next n bytes of what is read, or NULL. */
static const unsigned char *take(state_bytes *st, size_t n)
{
    st->is_wrong |= n > st->size - st->at;
    if (st->is_wrong) return NULL;
    st->at += n;
    return st->from + st->at - n;
}

/* The n lowest bytes of x, least byte first. */
static void put(unsigned char *to, uint64_t x, size_t n)
{
    for (size_t i = 0; i < n; i++) to[i] = (unsigned char)(x >> 8 * i);
}

static uint64_t get(const unsigned char *from, size_t n)
{
    uint64_t x = 0;
    for (size_t i = 0; i < n; i++) x |= (uint64_t)from[i] << 8 * i;
    return x;
}

static void pass(state_bytes *st, uint64_t *x, size_t n)
{
    if (!st->is_reading) {
        unsigned char *to = append(st, n);
        if (to) put(to, *x, n);
        return;
    }
    const unsigned char *from = take(st, n);
    *x = from ? get(from, n) : 0;
}

void state_u64(state_bytes *st, uint64_t *x)
{
    pass(st, x, 8);
}

void state_flag(state_bytes *st, bool *x)
{
    uint64_t whole = *x;
    pass(st, &whole, 1);
    state_must(st, whole <= 1);
    *x = whole == 1;
}

void state_int_flag(state_bytes *st, int *x)
{
    bool flag = *x != 0;
    state_flag(st, &flag);
    *x = flag;
}

void state_i64(state_bytes *st, int64_t *x)
{
    uint64_t bits = (uint64_t)*x;
    pass(st, &bits, 8);
    *x = (int64_t)bits;
}

void state_size(state_bytes *st, size_t *x)
{
    uint64_t whole = *x;
    pass(st, &whole, 8);
    state_must(st, whole <= SIZE_MAX);
    *x = (size_t)whole;
}

void state_floats(state_bytes *st, float *x, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        uint32_t bits;
        memcpy(&bits, &x[i], sizeof bits);
        uint64_t whole = bits;
        pass(st, &whole, sizeof bits);
        bits = (uint32_t)whole;
        memcpy(&x[i], &bits, sizeof bits);
    }
}

void state_doubles(state_bytes *st, double *x, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        uint64_t bits;
        memcpy(&bits, &x[i], sizeof bits);
        pass(st, &bits, sizeof bits);
        memcpy(&x[i], &bits, sizeof bits);
    }
}

void state_count(state_bytes *st, size_t *n, size_t bytes)
{
    state_size(st, n);
    state_must(st, *n <= (st->size - st->at) / bytes);
    if (st->is_wrong) *n = 0;
}

void state_must(state_bytes *st, bool holds)
{
    st->is_wrong |= st->is_reading && !holds;
}

uint64_t state_hash(uint64_t hash, const void *bytes, size_t n)
{
    const unsigned char *at = bytes;
    for (size_t i = 0; i < n; i++) hash = (hash ^ at[i]) * 0x100000001b3u;
    return hash;
}

/* ---- header and end ---- */

/* "saved by sigrep VERSION": whatever its bytes are. */
static sigrep_status fail_version(const unsigned char version[VERSION_SIZE], sigrep_error *error)
{
    char text[VERSION_SIZE] = {0};
    for (size_t i = 0; i + 1 < sizeof text && version[i]; i++)
        text[i] = version[i] > ' ' && version[i] < 127 ? (char)version[i] : '?';
    return status_fail(error, SIGREP_BAD_STATE, "saved by sigrep %s, and this is " SIGREP_VERSION,
                       text);
}

static void put_version(unsigned char version[VERSION_SIZE])
{
    memset(version, 0, VERSION_SIZE);
    memcpy(version, SIGREP_VERSION, sizeof SIGREP_VERSION);
}

void state_begin_writing(state_bytes *st)
{
    st->is_reading = st->is_wrong = st->is_full = false;
    st->at = st->size = 0;
    unsigned char *to = append(st, SIZE_AT + 8);
    if (!to) return;
    memcpy(to, magic, sizeof magic);
    put(to + sizeof magic, FORMAT, 8);
    put_version(to + sizeof magic + 8);
}

sigrep_status state_begin_reading(state_bytes *st, const void *bytes, size_t size,
                                  sigrep_error *error)
{
    const sigrep_status bad = SIGREP_BAD_STATE;
    const unsigned char *from = bytes;
    unsigned char version[VERSION_SIZE];
    if (size < sizeof magic || memcmp(from, magic, sizeof magic) != 0)
        return status_fail(error, bad, "no state of a search");
    if (size < SIZE_AT + 8 + CHECKSUM)
        return status_fail(error, bad, "truncated to %zu bytes", size);
    const uint64_t whole = get(from + SIZE_AT, 8);
    if (size < whole)
        return status_fail(error, bad, "truncated to %zu of %llu bytes", size,
                           (unsigned long long)whole);
    const size_t end = size - CHECKSUM;
    if (size > whole || get(from + end, CHECKSUM) != crc32_of(from, end))
        return status_fail(error, bad, "damaged: its checksum is wrong");
    put_version(version);
    if (get(from + sizeof magic, 8) != FORMAT ||
        memcmp(from + sizeof magic + 8, version, VERSION_SIZE) != 0)
        return fail_version(from + sizeof magic + 8, error);
    st->is_reading = true;
    st->is_wrong = st->is_full = false;
    st->from = from;
    st->at = SIZE_AT + 8;
    st->size = end;
    return SIGREP_OK;
}

sigrep_status state_end(state_bytes *st, sigrep_error *error)
{
    if (st->is_reading) {
        state_must(st, st->at == st->size);
        if (state_is_right(st)) return SIGREP_OK;
        return status_fail(error, SIGREP_BAD_STATE, "damaged: its values cannot be");
    }
    if (append(st, CHECKSUM)) {
        put(st->to + SIZE_AT, st->at, 8);
        put(st->to + st->at - CHECKSUM, crc32_of(st->to, st->at - CHECKSUM), CHECKSUM);
    }
    return st->is_full ? status_fail(error, SIGREP_NO_MEMORY, "out of memory") : SIGREP_OK;
}
