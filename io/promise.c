#include "io/promise.h"

#include <stdio.h>
#include <string.h>

enum { OGG_PAGE = 27, OGG_FLAGS = 5, OGG_SEGMENTS = 26, OGG_LAST = 4 };

static uint64_t load(const promise *p, size_t offset, size_t width)
{
    uint64_t value = 0;
    for (size_t i = 0; i < width; i++)
        value = value << 8 | p->head[offset + (p->little_endian ? width - 1 - i : i)];
    return value;
}

void promise_init(promise *p, detect_kind kind)
{
    *p = (promise){.kind = kind};
    switch (kind) {
    case DETECT_WAV:
    case DETECT_RF64:
    case DETECT_AIFF:
    case DETECT_AU: p->want = 12; break;
    case DETECT_CAF: p->want = 8; break;
    case DETECT_W64: p->want = 40; break;
    case DETECT_OGG: p->want = OGG_PAGE; break;
    default: p->settled = true;
    }
}

static void expect(promise *p, uint64_t skip, size_t want)
{
    p->skip = skip;
    p->want = want;
    p->have = 0;
}

/* Sizes of 32 bits that stand for "unknown": 0, nearly 4 GiB, nearly 2 GiB (sox). */
static bool is_placeholder(uint64_t size)
{
    return size == 0 || (size >= 0xffff0000u && size <= 0xffffffffu) ||
           (size >= 0x7eff0000u && size <= 0x80000000u);
}

static void settle(promise *p, uint64_t gap, uint64_t size)
{
    p->settled = true;
    p->data_begin = p->position + gap;
    p->data_size = size > INT64_MAX / 2 ? 0 : size;
}

static void step_ogg(promise *p)
{
    if (memcmp(p->head, "OggS", 4) != 0) {
        p->settled = true; /* something behind the stream, or damage, which is not ours */
        return;
    }
    size_t segments = p->head[OGG_SEGMENTS], body = 0;
    if (p->want < OGG_PAGE + segments) {
        p->want = OGG_PAGE + segments;
        return;
    }
    for (size_t i = 0; i < segments; i++) body += p->head[OGG_PAGE + i];
    p->last_page = p->head[OGG_FLAGS] & OGG_LAST;
    expect(p, body, OGG_PAGE);
}

static void step_au(promise *p)
{
    p->little_endian = p->head[0] == 'd'; /* "dns." */
    uint64_t size = load(p, 8, 4), offset = load(p, 4, 4);
    settle(p, offset > 12 ? offset - 12 : 0, is_placeholder(size) ? 0 : size);
}

/* RIFF, RF64 and AIFF: a name and 32 bits of size, padded to an even one. */
static void step_chunk(promise *p)
{
    uint64_t size = load(p, 4, 4);
    bool aiff = p->kind == DETECT_AIFF;
    if (memcmp(p->head, "ds64", 4) == 0 && p->have == 8 && size >= 16) {
        p->want = 8 + 16; /* look into it: the sizes of the file and of the data */
    } else if (p->have > 8) {
        p->long_size = load(p, 16, 8);
        expect(p, size + (size & 1) - 16, 8);
    } else if (memcmp(p->head, aiff ? "SSND" : "data", 4) == 0) {
        bool is_long = p->kind == DETECT_RF64 && size == 0xffffffffu;
        uint64_t bytes = is_long ? p->long_size : is_placeholder(size) ? 0 : size;
        uint64_t gap = aiff && bytes >= 8 ? 8 : 0; /* offset and block size */
        settle(p, gap, bytes - gap);
    } else {
        expect(p, size + (size & 1), 8);
    }
}

static void step_caf(promise *p)
{
    uint64_t size = load(p, 4, 8);
    if (memcmp(p->head, "data", 4) == 0)
        settle(p, 4, size >= 4 ? size - 4 : 0); /* behind an edit count */
    else if (size > INT64_MAX / 2)
        settle(p, 0, 0);
    else
        expect(p, size, 12);
}

/* 16 bytes of name, 64 bits of size that count the 24 of this header, padded to 8. */
static void step_w64(promise *p)
{
    uint64_t size = load(p, 16, 8);
    if (size < 24 || size > INT64_MAX / 2 || memcmp(p->head, "data", 4) == 0)
        settle(p, 0, size < 24 ? 0 : size - 24);
    else
        expect(p, ((size + 7) & ~(uint64_t)7) - 24, 24);
}

/* A header is complete. */
static void step(promise *p)
{
    bool first = !p->began;
    p->began = true;
    if (p->kind == DETECT_OGG) {
        step_ogg(p);
    } else if (p->kind == DETECT_AU) {
        step_au(p);
    } else if (first) {
        p->little_endian =
            p->kind == DETECT_W64 || memcmp(p->head, "RIFF", 4) == 0 || p->kind == DETECT_RF64;
        expect(p, 0, p->kind == DETECT_W64 ? 24 : p->kind == DETECT_CAF ? 12 : 8);
    } else if (p->kind == DETECT_CAF) {
        step_caf(p);
    } else if (p->kind == DETECT_W64) {
        step_w64(p);
    } else {
        step_chunk(p);
    }
}

void promise_feed(promise *p, const unsigned char *bytes, size_t n)
{
    while (n > 0) {
        size_t part = n;
        if (p->skip > 0) {
            if (part > p->skip) part = (size_t)p->skip;
            p->skip -= part;
        } else if (!p->settled) {
            if (part > p->want - p->have) part = p->want - p->have;
            memcpy(p->head + p->have, bytes, part);
            p->have += part;
        }
        p->position += part;
        bytes += part;
        n -= part;
        if (!p->settled && p->have == p->want) step(p);
    }
}

void promise_scan(promise *p, input *in)
{
    uint64_t total = in->size - in->start;
    while (!p->settled && p->position + p->skip < total) {
        p->position += p->skip;
        p->skip = 0;
        unsigned char part[PROMISE_HEAD];
        size_t n = input_read_at(in, p->position, part, p->want - p->have);
        if (n == 0) return;
        promise_feed(p, part, n);
    }
}

bool promise_kept(const promise *p, uint64_t total, char *reason, size_t size)
{
    if (p->kind == DETECT_OGG) {
        bool mid_page = p->have > 0 || p->position + p->skip > total;
        bool stray = p->have > 0 && memcmp(p->head, "OggS", p->have < 4 ? p->have : 4) != 0;
        if (p->settled || (p->last_page && (stray || !mid_page))) return true;
        snprintf(reason, size, "cut short: the last Ogg page is missing");
        return false;
    }
    uint64_t present = total > p->data_begin ? total - p->data_begin : 0;
    if (p->data_size == 0 || present >= p->data_size) return true;
    snprintf(reason, size, "cut short: %llu of %llu bytes of samples", (unsigned long long)present,
             (unsigned long long)p->data_size);
    return false;
}
