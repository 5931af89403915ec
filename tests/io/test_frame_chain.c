#include "io/frame_chain.h"

#include <string.h>

#include "tests/check.h"

static unsigned char bytes[FRAME_CHAIN_REACH];

/* Fill the bytes with noise, and put a head there every `apart` bytes, from `from` on. */
static frame_chain_kind chain(const char *head, size_t n, size_t apart, size_t from)
{
    static uint64_t seed = 9;
    for (size_t i = 0; i < sizeof bytes; i++) bytes[i] = (unsigned char)check_random(&seed);
    for (size_t at = from; at + n <= sizeof bytes; at += apart) memcpy(bytes + at, head, n);
    return frame_chain_find(bytes, sizeof bytes);
}

/* Regression: a radio's stream from the middle of a frame was taken for raw f32. */
static void streams_are_known_from_any_byte_on(void)
{
    for (size_t from = 0; from < 188; from += 11) {
        CHECK(chain("\xff\xfb\x90\x64", 4, 417, from) == FRAME_CHAIN_MPEG);
        CHECK(chain("\xff\xfd\xa0\x04", 4, 626, from) == FRAME_CHAIN_MPEG);
        CHECK(chain("\xff\xf1\x50\x80\x2e\x7f\xfc", 7, 371, from) == FRAME_CHAIN_AAC);
        CHECK(chain("\x56\xe1\x2c", 3, 303, from) == FRAME_CHAIN_AAC);
        CHECK(chain("\x0b\x77\x12\x34\x14\x40", 6, 768, from) == FRAME_CHAIN_AC3);
        CHECK(chain("\x0b\x77\x01\x7f\x3f\x80", 6, 768, from) == FRAME_CHAIN_AC3);
        CHECK(chain("\x47\x41\x00\x10\x00", 5, 188, from) == FRAME_CHAIN_TS);
    }
}

static void other_distances_are_none(void)
{
    CHECK(chain("\xff\xfb\x90\x64", 4, 419, 5) == FRAME_CHAIN_NONE);
    CHECK(chain("\x47\x41\x00\x10\x00", 5, 192, 5) == FRAME_CHAIN_NONE);
}

/* Noise, and floats that are held: each head of a chain, at any place in them. */
static void numbers_are_none(void)
{
    static const unsigned char heads[][4] = {{0xff, 0xfb, 0x90, 0x44},
                                             {0xff, 0xf1, 0x50, 0x40},
                                             {0x56, 0xe1, 0x2c, 0x47},
                                             {0x0b, 0x77, 0x14, 0x47},
                                             {0, 0x10, 0x43, 0x47}};
    for (int i = 0; i < 2000; i++) CHECK(chain("", 0, 1000, 0) == FRAME_CHAIN_NONE);
    for (size_t h = 0; h < sizeof heads / sizeof *heads; h++) {
        for (size_t i = 0; i < sizeof bytes; i++) bytes[i] = heads[h][i % 4];
        CHECK_MSG(frame_chain_find(bytes, sizeof bytes) == FRAME_CHAIN_NONE, "head %zu", h);
    }
}

/* Regression: raw f32 of a converter without a sign, around 32768, was refused as MPEG-TS. */
static void floats_around_32768_are_no_packets(void)
{
    static uint64_t seed = 3;
    for (int i = 0; i < 200; i++) {
        for (size_t at = 0; at < sizeof bytes; at += sizeof(float)) {
            const float value = 32768 + (float)((int)(check_random(&seed) % 200) - 20 * (i % 10));
            memcpy(bytes + at, &value, sizeof value);
        }
        CHECK_MSG(frame_chain_find(bytes, sizeof bytes) == FRAME_CHAIN_NONE, "%d", i);
    }
}

int main(void)
{
    RUN(streams_are_known_from_any_byte_on);
    RUN(other_distances_are_none);
    RUN(numbers_are_none);
    RUN(floats_around_32768_are_no_packets);
    return check_done();
}
