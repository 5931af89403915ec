#include "tools/sigrep-plot/blob.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

/* zlib's own words for bytes that it cannot shrink: five in each 16 KiB, and a few. */
static const double LEAST_ROOM = 64, STORED = 1.0 + 5.0 / 16384;

double blob_fits(double page_bytes)
{
    const double bytes = (page_bytes * 3 / 4 - LEAST_ROOM) / STORED;
    return bytes > 0 ? bytes : 0;
}

unsigned char *blob_reserve(blob *b, size_t n)
{
    size_t room = b->room ? b->room : 1 << 16;
    while (room - b->n < n) room *= 2;
    if (room > b->room) {
        unsigned char *grown = realloc(b->data, room);
        if (!grown) return NULL;
        b->data = grown;
        b->room = room;
    }
    unsigned char *at = b->data + b->n;
    memset(at, 0, n);
    b->n += n;
    return at;
}

void blob_free(blob *b)
{
    free(b->data);
    *b = (blob){0};
}

static bool add_base64(text_buffer *page, const unsigned char *bytes, size_t n)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    if (!text_reserve(page, (n + 2) / 3 * 4)) return false;
    for (size_t i = 0; i < n; i += 3) {
        const unsigned rest = n - i < 3 ? (unsigned)(n - i) : 3;
        const unsigned long group = (unsigned long)bytes[i] << 16 |
                                    (rest > 1 ? (unsigned long)bytes[i + 1] << 8 : 0) |
                                    (rest > 2 ? (unsigned long)bytes[i + 2] : 0);
        char text[4];
        for (unsigned k = 0; k < 4; k++)
            text[k] = k <= rest ? digits[group >> (18 - 6 * k) & 63] : '=';
        text_add(page, text, sizeof text);
    }
    return !page->failed;
}

bool blob_write(const blob *b, text_buffer *page)
{
    uLongf n = compressBound((uLong)b->n);
    unsigned char *deflated = malloc(n);
    static const unsigned char none[1] = {0};
    bool good = deflated && compress2(deflated, &n, b->n ? b->data : none, (uLong)b->n, 6) == Z_OK;
    good = good && add_base64(page, deflated, n);
    free(deflated);
    return good;
}
