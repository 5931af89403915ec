/*
 * mic.h - the live microphone, a back end of source.h: an audio callback writes a ring, the
 * thread that reads the source waits at it. source_ops.h declares mic_open.
 *
 * Nothing is lost in silence: frames for which the ring has no room, frames of which the
 * sound system says that they were lost, and those that the clock misses (mic_clock.h) are
 * gaps. The first are placed exactly; one that the clock finds is placed where it is
 * noticed, within a second. A microphone that is gone, or silent for MIC_SILENCE_S, is an
 * error.
 */
#ifndef IO_MIC_H
#define IO_MIC_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#define MIC_PREFIX "mic:"
#define MIC_SILENCE_S 2.0
#define MIC_SILENCE_TEXT "2 s"
#define MIC_RING_S 10.0 /* what the search may be behind before frames are lost */

/* Is INPUT as the user wrote it a microphone? Its name stands behind the prefix. */
static inline bool mic_is_named(const char *input)
{
    return strncmp(input, MIC_PREFIX, strlen(MIC_PREFIX)) == 0;
}

/* Call `each` with every capture device. Their number, or -1 with the reason why none can
 * be had in reason[size]. */
typedef void mic_list_fn(void *user, const char *name, size_t channels, double rate_hz,
                         bool is_default);
int mic_list(mic_list_fn *each, void *user, char *reason, size_t size);

#endif
