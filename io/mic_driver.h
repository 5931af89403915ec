/*
 * mic_driver.h - what the microphone (mic.c) asks of a sound system: PortAudio, or a
 * made-up one in tests. Only capture devices are shown.
 */
#ifndef IO_MIC_DRIVER_H
#define IO_MIC_DRIVER_H

#include <stdbool.h>
#include <stddef.h>

typedef struct {
    const char *name; /* valid until end() */
    size_t channels;  /* the most that it has */
    double rate_hz;   /* its own rate */
    bool is_default;
} mic_device;

/* Called by a thread of the driver's for each buffer: n frames, interleaved. `overflow`:
 * the driver knows that frames before these were lost, not how many. It must not wait. */
typedef void mic_callback(void *user, const float *frames, size_t n, bool overflow);

typedef struct {
    size_t device, channels;
    double rate_hz;
    mic_callback *callback;
    void *user;
} mic_request;

typedef struct {
    /* Start the sound system up; end() is due if it succeeds. Fills reason[size] if not. */
    bool (*begin)(char *reason, size_t size);
    void (*end)(void);
    /* Devices [0, count). */
    size_t (*count)(void);
    mic_device (*device)(size_t i);
    /* A running stream; NULL with a reason. */
    void *(*open)(const mic_request *request, char *reason, size_t size);
    /* Is it still running? By the thread that opened it, at any time. */
    bool (*alive)(void *stream);
    /* Stop and free it; the callback is not called any more. */
    void (*close)(void *stream);
} mic_driver;

/* PortAudio; built with `make MIC=0` its begin fails and says so. */
extern const mic_driver mic_portaudio;

/* The driver in use: PortAudio, or what a test has set (NULL: PortAudio again). */
const mic_driver *mic_get_driver(void);
void mic_set_driver(const mic_driver *driver);

#endif
