/*
 * mic.h - live microphones, a back end of source.h. source_ops.h declares mic_open.
 *
 *     audio callback --> ring --> source_read
 *         +--> mic_clock: how many samples are missing
 *
 * Every lost frame is counted in a gap:
 *
 *     frames are lost                              place of the gap     its length
 *     for lack of room in the ring                 exact                exact
 *     by the sound system, which reports that      exact                by the clock
 *     without a report                             within a second      by the clock
 *
 * A microphone that disappears, or delivers nothing for MIC_SILENCE_S, is an error. A sound
 * server that is frozen blocks no call for ever: opening fails after MIC_ANSWER_S, and closing ends
 * after a few seconds.
 */
#ifndef IO_LIVE_MIC_H
#define IO_LIVE_MIC_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#define MIC_PREFIX "mic:"
#define MIC_SILENCE_S 2.0
#define MIC_SILENCE_TEXT "2 s"
#define MIC_MUTE_S 2.0    /* of zeros, which are reported once */
#define MIC_SLOW_S 2.0    /* then a program should report that opening takes long */
#define MIC_ANSWER_S 30.0 /* then opening fails */
#define MIC_RING_S 10.0   /* seconds that the search may lag before frames are lost */

/* Does INPUT, as the user wrote it, name a microphone? Its own name follows the prefix. */
static inline bool mic_is_named(const char *path)
{
    return strncmp(path, MIC_PREFIX, strlen(MIC_PREFIX)) == 0;
}

/* Call `each` for every capture device. Returns their number, or -1 with the reason in
 * reason[size]. `slow` is called if the sound system does not answer soon; may be NULL. */
typedef void mic_list_fn(void *user, const char *name, size_t channels, double rate_hz,
                         bool is_default);
int mic_list(mic_list_fn *each, void *user, void (*slow)(void), char *reason, size_t size);

#endif
