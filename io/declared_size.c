#include "io/declared_size.h"

#include <stdio.h>
#include <string.h>

#include "io/bytes.h"

enum { OGG_PAGE = 27, OGG_FLAGS = 5, OGG_SEGMENTS = 26, OGG_LAST = 4 };

static uint64_t load(const declared_size *d, size_t offset, size_t width)
{
    return bytes_load(d->header + offset, width, !d->little_endian);
}

void declared_size_init(declared_size *d, detect_kind kind)
{
    *d = (declared_size){.kind = kind};
    switch (kind) {
    case DETECT_WAV:
    case DETECT_RF64:
    case DETECT_AIFF:
    case DETECT_AU: d->want = 12; break;
    case DETECT_CAF: d->want = 8; break;
    case DETECT_W64: d->want = 40; break;
    case DETECT_OGG: d->want = OGG_PAGE; break;
    default: d->done = true;
    }
}

/* The next header begins after `skip` bytes and has `want` bytes. */
static void expect(declared_size *d, uint64_t skip, size_t want)
{
    d->skip = skip;
    d->want = want;
    d->have = 0;
}

/* 32-bit sizes that mean "unknown": 0, nearly 4 GiB, and nearly 2 GiB (sox). */
static bool is_placeholder(uint64_t size)
{
    return size == 0 || (size >= 0xffff0000u && size <= 0xffffffffu) ||
           (size >= 0x7eff0000u && size <= 0x80000000u);
}

/* The samples begin after `offset` more bytes. A size of 0 means unknown. */
static void finish(declared_size *d, uint64_t offset, uint64_t size)
{
    d->done = true;
    d->data_begin = d->position + offset;
    d->data_size = size > INT64_MAX / 2 ? 0 : size;
}

static void parse_ogg(declared_size *d)
{
    if (memcmp(d->header, "OggS", 4) != 0) {
        d->done = true; /* bytes after the stream, or damage: libsndfile reports that */
        return;
    }
    size_t segments = d->header[OGG_SEGMENTS], body = 0;
    if (d->want < OGG_PAGE + segments) {
        d->want = OGG_PAGE + segments;
        return;
    }
    for (size_t i = 0; i < segments; i++) body += d->header[OGG_PAGE + i];
    d->last_page = d->header[OGG_FLAGS] & OGG_LAST;
    expect(d, body, OGG_PAGE);
}

static void parse_au(declared_size *d)
{
    d->little_endian = d->header[0] == 'd'; /* "dns." */
    uint64_t size = load(d, 8, 4), offset = load(d, 4, 4);
    finish(d, offset > 12 ? offset - 12 : 0, is_placeholder(size) ? 0 : size);
}

/* RIFF, RF64 and AIFF: a name of 4 bytes, a 32-bit size, content padded to an even size. */
static void parse_chunk(declared_size *d)
{
    uint64_t size = load(d, 4, 4);
    bool aiff = d->kind == DETECT_AIFF;
    if (memcmp(d->header, "ds64", 4) == 0 && d->have == 8 && size >= 16) {
        d->want = 8 + 16; /* its content begins with the sizes of file and data */
    } else if (d->have > 8) {
        d->long_size = load(d, 16, 8);
        expect(d, size + (size & 1) - 16, 8);
    } else if (memcmp(d->header, aiff ? "SSND" : "data", 4) == 0) {
        bool is_long = d->kind == DETECT_RF64 && size == 0xffffffffu;
        uint64_t bytes = is_long ? d->long_size : is_placeholder(size) ? 0 : size;
        uint64_t fields = aiff && bytes >= 8 ? 8 : 0; /* SSND: offset and block size */
        finish(d, fields, bytes - fields);
    } else {
        expect(d, size + (size & 1), 8);
    }
}

static void parse_caf(declared_size *d)
{
    uint64_t size = load(d, 4, 8);
    if (memcmp(d->header, "data", 4) == 0)
        finish(d, 4, size >= 4 ? size - 4 : 0); /* after the edit count */
    else if (size > INT64_MAX / 2)
        finish(d, 0, 0);
    else
        expect(d, size, 12);
}

/* A GUID of 16 bytes, a 64-bit size that includes these 24 bytes, content padded to 8. */
static void parse_w64(declared_size *d)
{
    uint64_t size = load(d, 16, 8);
    if (size < 24 || size > INT64_MAX / 2 || memcmp(d->header, "data", 4) == 0)
        finish(d, 0, size < 24 ? 0 : size - 24);
    else
        expect(d, ((size + 7) & ~(uint64_t)7) - 24, 24);
}

/* Parse a complete header. */
static void parse_header(declared_size *d)
{
    bool first = !d->has_begun;
    d->has_begun = true;
    if (d->kind == DETECT_OGG) {
        parse_ogg(d);
    } else if (d->kind == DETECT_AU) {
        parse_au(d);
    } else if (first) {
        d->little_endian =
            d->kind == DETECT_W64 || memcmp(d->header, "RIFF", 4) == 0 || d->kind == DETECT_RF64;
        expect(d, 0, d->kind == DETECT_W64 ? 24 : d->kind == DETECT_CAF ? 12 : 8);
    } else if (d->kind == DETECT_CAF) {
        parse_caf(d);
    } else if (d->kind == DETECT_W64) {
        parse_w64(d);
    } else {
        parse_chunk(d);
    }
}

void declared_size_feed(declared_size *d, const unsigned char *bytes, size_t n)
{
    while (n > 0) {
        size_t part = n;
        if (d->skip > 0) {
            if (part > d->skip) part = (size_t)d->skip;
            d->skip -= part;
        } else if (!d->done) {
            if (part > d->want - d->have) part = d->want - d->have;
            memcpy(d->header + d->have, bytes, part);
            d->have += part;
        }
        d->position += part;
        bytes += part;
        n -= part;
        if (!d->done && d->have == d->want) parse_header(d);
    }
}

void declared_size_scan(declared_size *d, input *in)
{
    uint64_t total = in->size - in->start;
    while (!d->done && d->position + d->skip < total) {
        d->position += d->skip;
        d->skip = 0;
        unsigned char part[DECLARED_SIZE_HEADER];
        size_t n = input_read_at(in, d->position, part, d->want - d->have);
        if (n == 0) return;
        declared_size_feed(d, part, n);
    }
}

bool declared_size_met(const declared_size *d, uint64_t total, char *reason, size_t size)
{
    if (d->kind == DETECT_OGG) {
        bool mid_page = d->have > 0 || d->position + d->skip > total;
        bool stray = d->have > 0 && memcmp(d->header, "OggS", d->have < 4 ? d->have : 4) != 0;
        if (d->done || (d->last_page && (stray || !mid_page))) return true;
        snprintf(reason, size, "cut short: the last Ogg page is missing");
        return false;
    }
    uint64_t present = total > d->data_begin ? total - d->data_begin : 0;
    if (d->data_size == 0 || present >= d->data_size) return true;
    snprintf(reason, size, "cut short: %llu of %llu bytes of samples", (unsigned long long)present,
             (unsigned long long)d->data_size);
    return false;
}
