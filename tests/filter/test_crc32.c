/* filter/bundle/write.c: the values that everybody's CRC-32 gives. */
#include "filter/crc32.h"

#include "tests/check.h"

static void known_values(void)
{
    CHECK(crc32_of((const unsigned char *)"", 0) == 0);
    CHECK(crc32_of((const unsigned char *)"123456789", 9) == 0xCBF43926);
    unsigned char ones[32];
    for (size_t i = 0; i < sizeof ones; i++) ones[i] = 0xFF;
    CHECK(crc32_of(ones, sizeof ones) == 0xFF6CAB0B);
}

int main(void)
{
    RUN(known_values);
    return check_done();
}
