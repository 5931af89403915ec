/* start.h - what each program does before all else. */
#ifndef TOOLS_COMMON_START_H
#define TOOLS_COMMON_START_H

/*
 * Call it first in main, while there is one thread.
 *
 * If a standard descriptor is closed, the next open() takes its number, and matches or messages
 * would be written into that file. So /dev/null is opened there.
 *
 * libsoxr reads variables SOXR_... when a resampler is made. Some change its last digits, and so
 * scores. So they are removed. The library cannot do that: the environment is its host's.
 *
 * Beyond a limit of file sizes (ulimit -f) a write would end the program without a word, by
 * SIGXFSZ. Ignored, it is the error EFBIG.
 *
 * libsndfile prints on standard output if a CAF file of ALAC is damaged. The programs write there
 * by io/fdio.h alone, so stdio's stdout becomes stderr.
 */
void start_program(void);

#endif
