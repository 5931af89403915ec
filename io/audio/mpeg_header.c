#include "io/audio/mpeg_header.h"

enum { KBITS = 15, RATES = 3 };

static size_t kbits_of(const mpeg_header *h, unsigned index)
{
    static const unsigned short version_1[3][KBITS] = {
        {0, 32, 64, 96, 128, 160, 192, 224, 256, 288, 320, 352, 384, 416, 448},
        {0, 32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384},
        {0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320}};
    static const unsigned short version_2[2][KBITS] = {
        {0, 32, 48, 56, 64, 80, 96, 112, 128, 144, 160, 176, 192, 224, 256},
        {0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160}};
    if (h->version == 3) return version_1[h->layer - 1][index];
    return version_2[h->layer > 1][index];
}

/* A slot has four bytes in layer I, else one. */
static void find_size(mpeg_header *h, size_t padding)
{
    const bool is_half = h->layer == 3 && h->version != 3;
    h->samples = h->layer == 1 ? 384 : is_half ? 576 : 1152;
    const size_t slot = h->layer == 1 ? 4 : 1;
    h->bytes = (h->samples / 8 / slot * 1000 * h->kbits / h->rate_hz + padding) * slot;
}

bool mpeg_header_parse(const unsigned char b[MPEG_HEADER], mpeg_header *h)
{
    static const size_t rates_hz[RATES] = {44100, 48000, 32000};
    static const size_t divisors[] = {4, 1, 2, 1}; /* by version */
    const unsigned rate = b[2] >> 2 & 3, kbits = b[2] >> 4, mode = b[3] >> 6;
    if (b[0] != 0xff || (b[1] & 0xe0) != 0xe0) return false;
    *h = (mpeg_header){.version = b[1] >> 3 & 3, .layer = 4 - (b[1] >> 1 & 3)};
    if (h->version == 1 || h->layer == 4) return false;
    if (rate == RATES || kbits == 0 || kbits == KBITS) return false;
    if ((b[3] & 3) == 2 || (mode != 1 && (b[3] & 0x30) != 0)) return false;
    h->rate_hz = rates_hz[rate] / divisors[h->version];
    h->channels = mode == 3 ? 1 : 2;
    h->kbits = kbits_of(h, kbits);
    find_size(h, b[2] >> 1 & 1);
    return true;
}
