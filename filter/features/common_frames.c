#include "filter/features/common_frames.h"

#include <math.h>

/* The assembler includes the file; it finds it from the top of the source. Value i of centre j is
 * byte 75 j + i, in units of 1/256. */
__asm__(".section .rodata\n"
        ".hidden common_frames_bytes\n.globl common_frames_bytes\n"
        "common_frames_bytes:\n"
        ".incbin \"filter/features/common_frames.s8\"\n"
        ".previous\n");
extern const signed char common_frames_bytes[COMMON_FRAMES][COMMON_VALUES];

void common_frames_load(common_frames *common)
{
    for (size_t j = 0; j < COMMON_FRAMES; j++)
        for (size_t i = 0; i < COMMON_VALUES; i++)
            common->values[i][j] = (float)common_frames_bytes[j][i] / 256;
}

float common_frames_distance(const common_frames *common, const float *frame)
{
    float sums[COMMON_FRAMES] = {0}, least = INFINITY;
    for (size_t i = 0; i < COMMON_VALUES; i++)
        for (size_t j = 0; j < COMMON_FRAMES; j++)
            sums[j] += fabsf(frame[i] - common->values[i][j]);
    for (size_t j = 0; j < COMMON_FRAMES; j++) least = sums[j] < least ? sums[j] : least;
    return least;
}
