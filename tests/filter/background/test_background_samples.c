/* filter/background/background.c: the file as G.711 and its header define it. */
#include "filter/background/background.h"

#include <string.h>

#include "tests/check.h"

enum { HEADER = 58 };

static unsigned char file[HEADER + BACKGROUND_SAMPLES + 1];

static size_t read_file(void)
{
    char path[512];
    const char *src = getenv("SRC");
    snprintf(path, sizeof path, "%s/filter/background/background.wav", src ? src : ".");
    FILE *in = fopen(path, "rb");
    CHECK_MSG(in, "%s", path);
    if (!in) exit(1);
    const size_t n = fread(file, 1, sizeof file, in);
    fclose(in);
    return n;
}

static unsigned at(size_t byte, size_t bytes)
{
    unsigned value = 0;
    for (size_t i = bytes; i-- > 0;) value = value << 8 | file[byte + i];
    return value;
}

static void the_file_is_a_minute_of_mu_law(void)
{
    CHECK(read_file() == HEADER + BACKGROUND_SAMPLES);
    CHECK(memcmp(file, "RIFF", 4) == 0 && memcmp(file + 8, "WAVEfmt ", 8) == 0);
    CHECK(at(20, 2) == 7 && at(22, 2) == 1 && at(24, 4) == BACKGROUND_HZ);
    CHECK(memcmp(file + HEADER - 8, "data", 4) == 0 && at(HEADER - 4, 4) == BACKGROUND_SAMPLES);
}

/* G.711: codes 255 down to 128 stand for 0 and up, 127 down to 0 for 0 and down. Values lie 2 apart
 * in the first segment of 16, twice as far in each next one, and 3/2 of that at the joint. */
static void make_table(float table[256])
{
    int value = 0;
    for (int k = 0; k < 128; k++) {
        const int step = 2 << k / 16;
        table[255 - k] = (float)value / 8192;
        table[127 - k] = (float)-value / 8192;
        value += k % 16 == 15 ? step * 3 / 2 : step;
    }
}

static void samples_are_those_of_the_file(void)
{
    static float table[256], once[BACKGROUND_SAMPLES], thrice[3 * 1000];
    make_table(table);
    read_file();
    background_decode(once, 0, BACKGROUND_SAMPLES, 1);
    size_t wrong = 0, seen[2] = {0};
    for (size_t i = 0; i < BACKGROUND_SAMPLES; i++) {
        wrong += once[i] != table[file[HEADER + i]];
        seen[once[i] < 0]++;
    }
    CHECK(wrong == 0);
    CHECK(seen[0] > BACKGROUND_SAMPLES / 3 && seen[1] > BACKGROUND_SAMPLES / 3);
    background_decode(thrice, BACKGROUND_SAMPLES - 1000, 1000, 3);
    for (size_t i = 0; i < 3000; i++) CHECK(thrice[i] == once[BACKGROUND_SAMPLES - 1000 + i / 3]);
}

int main(void)
{
    RUN(the_file_is_a_minute_of_mu_law);
    RUN(samples_are_those_of_the_file);
    return check_done();
}
