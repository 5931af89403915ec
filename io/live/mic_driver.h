/*
 * mic_driver.h - what mic.c needs of a sound system: PortAudio, or a fake one in tests. It lists
 * capture devices only.
 */
#ifndef IO_LIVE_MIC_DRIVER_H
#define IO_LIVE_MIC_DRIVER_H

#include <stdbool.h>
#include <stddef.h>

typedef struct {
    const char *name; /* valid until end() */
    size_t channels;  /* the maximum */
    double rate_hz;   /* its default rate */
    bool is_default;
} mic_device;

/* Called on a thread of the driver for each buffer: n frames, channels interleaved. `overflow`: an
 * unknown number of frames before these was lost. It must never wait. */
typedef void mic_callback(void *user, const float *frames, size_t n, bool overflow);

typedef struct {
    size_t device, channels;
    double rate_hz;
    mic_callback *callback;
    void *user;
} mic_request;

/* How to wait for a sound system that does not answer. */
typedef struct {
    int wake_fd;        /* once readable, it ends the wait; -1: none */
    void (*slow)(void); /* called if a call takes longer than MIC_SLOW_S; may be NULL */
} mic_patience;

typedef struct {
    /* Start the sound system, one user at a time. On success end() is due; on failure reason[size]
     * is filled. */
    bool (*begin)(const mic_patience *patience, char *reason, size_t size);
    /* false: the sound system does not answer. A stream that is not closed may then call back for
     * ever, so what it uses must stay. */
    bool (*end)(void);
    /* Devices [0, count()). */
    size_t (*count)(void);
    mic_device (*device)(size_t i);
    /* Open and start a stream; NULL with a reason. */
    void *(*open)(const mic_request *request, const mic_patience *patience, char *reason,
                  size_t size);
    /* Does the stream still run? Called on the thread that opened it. */
    bool (*alive)(void *stream);
    /* Stop and free the stream; the callback is not called any more. false: that takes longer than
     * timeout_s, and goes on; call again to wait longer. */
    bool (*close)(void *stream, double timeout_s);
} mic_driver;

/* PortAudio. In a program built without it (mic_none.c), begin() fails with that reason. */
extern const mic_driver mic_portaudio;

/* The driver in use. mic_set_driver is for tests; NULL restores PortAudio. */
const mic_driver *mic_get_driver(void);
void mic_set_driver(const mic_driver *driver);

/*
 * Find the device for `name`. In this order: "" is the default device; the first device of exactly
 * this name; the only device whose name contains it, in any case of letters. On failure: false,
 * with the reason and the candidates in reason[size].
 */
bool mic_find(const mic_driver *driver, const char *name, size_t *index, char *reason, size_t size);

#endif
