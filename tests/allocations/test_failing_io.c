/* Sources, writers and the spool: each of their allocations fails once. */
#include <errno.h>
#include <fcntl.h>
#include <sndfile.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

#include "io/fdio.h"
#include "io/live/mic_driver.h"
#include "io/source.h"
#include "io/spool.h"
#include "io/time/exact_time.h"
#include "io/writers/wav_out.h"
#include "io/writers/writer.h"
#include "tests/allocations/each_allocation.h"
#include "tests/support/fake_mic.h"

enum { MOST_VALUES = 1 << 16, SAMPLES = 3000, RATE = 16000 };

static char folder[] = "/var/tmp/allocations.XXXXXX", path[64];

/* ---- sources ---- */

typedef struct {
    source_options options;
    bool by_pipe; /* `path` on standard input */
    bool is_mic;
} source_case;

/* What a source gives without failures; set by the first reading. */
static float values[MOST_VALUES], wanted[MOST_VALUES];
static size_t wanted_values;

/* Standard input becomes a pipe that holds the file of `path`, whole. */
static void fill_pipe(void)
{
    char bytes[1 << 15];
    int ends[2];
    const int file = open(path, O_RDONLY);
    const ssize_t n = read(file, bytes, sizeof bytes);
    CHECK(n > 0 && n < (ssize_t)sizeof bytes);
    CHECK(pipe(ends) == 0 && dup2(ends[0], STDIN_FILENO) == STDIN_FILENO);
    CHECK(fd_write_all(ends[1], bytes, (size_t)n) == 0);
    close(file);
    close(ends[0]);
    close(ends[1]);
}

static source *open_input(const source_case *it, char *error, size_t size)
{
    static const fake_step steps[] = {{1000, false}, {500, true}};
    if (it->by_pipe) fill_pipe();
    if (it->is_mic) fake_set(steps, 2, false);
    return source_open(it->is_mic ? "mic:" : it->by_pipe ? "-" : path, &it->options, error, size);
}

/* Returns the number of values, or -1 after an error. */
static ssize_t read_all(source *src, size_t channels, bool is_mic)
{
    static exact_time times[MOST_VALUES];
    size_t n = 0;
    for (ssize_t got = 1; got > 0; n += (size_t)got) {
        got = source_read(src, values + n * channels, times, MOST_VALUES / channels - n);
        while (source_warning(src)) continue;
        if (got < 0) return -1;
        if (is_mic) return got; /* it would wait for more */
    }
    return (ssize_t)(n * channels);
}

static bool read_source(const void *user)
{
    const source_case *it = user;
    char error[256] = "";
    source *src = open_input(it, error, sizeof error);
    ssize_t n = -1;
    if (src) n = read_all(src, source_get_info(src).channels, it->is_mic);
    if (src && n < 0) snprintf(error, sizeof error, "%s", source_error(src));
    source_close(src);
    if (n < 0) {
        CHECK_MSG(strcmp(error, "out of memory") == 0, "%s", error);
        return false;
    }
    if (wanted_values == 0) memcpy(wanted, values, (wanted_values = (size_t)n) * sizeof *values);
    CHECK((size_t)n == wanted_values && memcmp(values, wanted, (size_t)n * sizeof *values) == 0);
    return true;
}

static void each_fails(const char *name, source_case it)
{
    it.options.wake_fd = -1;
    wanted_values = 0;
    CHECK_MSG(read_source(&it) && wanted_values > 0, "%s", name);
    each_allocation_fails(name, read_source, &it);
}

static void write_file(const void *bytes, size_t n)
{
    const int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    CHECK(fd_write_all(fd, bytes, n) == 0);
    close(fd);
}

static void of_text(void)
{
    static const size_t columns[] = {3, 2};
    char text[20000] = "time,x,y\n";
    for (int i = 0; i < 300; i++)
        snprintf(text + strlen(text), sizeof text - strlen(text), "%d.5,%d,2\n", i, i * i);
    snprintf(text + strlen(text), sizeof text - strlen(text), "oops\n%0300d,1,2\n", 7);
    write_file(text, strlen(text));
    each_fails("text", (source_case){.options = {.skip_bad = true}});
    each_fails(
        "columns of text",
        (source_case){
            .by_pipe = true,
            .options = {.columns = columns, .n_columns = 2, .time_column = 1, .skip_bad = true}});
    static const size_t by_name[] = {0};
    static const char *const names[] = {"x"};
    snprintf(text + strlen(text), sizeof text - strlen(text), "900.5,7,8\n901.5,,9\n902.5,1,2\n");
    write_file(text, strlen(text));
    each_fails("gaps of text that are bridged", (source_case){.options = {.columns = by_name,
                                                                          .column_names = names,
                                                                          .n_columns = 1,
                                                                          .time_name = "time",
                                                                          .fill_s = 1000,
                                                                          .skip_bad = true}});
}

static void of_json_lines(void)
{
    static const size_t by_name[] = {0, 0};
    static const char *const names[] = {"a.x", "v.1"};
    char text[20000] = "";
    for (int i = 0; i < 100; i++)
        snprintf(text + strlen(text), sizeof text - strlen(text),
                 "{\"t\": %d.5, \"a\": {\"x\": %d}, \"v\": [1, 2.5]}\n", i, i * i);
    write_file(text, strlen(text));
    each_fails("JSON Lines", (source_case){.options = {.keep_lines = true}});
    each_fails("paths in JSON Lines", (source_case){.by_pipe = true,
                                                    .options = {.columns = by_name,
                                                                .column_names = names,
                                                                .n_columns = 2,
                                                                .time_name = "t"}});
}

static void of_raw_samples(void)
{
    char bytes[SAMPLES * 4];
    for (size_t i = 0; i < sizeof bytes; i++) bytes[i] = (char)(i * i / 7);
    write_file(bytes, sizeof bytes);
    each_fails("raw", (source_case){.options = {.format = SOURCE_S16}});
    each_fails(
        "mean of channels",
        (source_case){.by_pipe = true,
                      .options = {.format = SOURCE_S16, .channels = 2, .choice = CHANNEL_MIX}});
}

/* An array in the order of Fortran, from a pipe: it is stored. */
static void of_arrays(void)
{
    static const char header[] = "{'descr': '<i2', 'fortran_order': True, 'shape': (1000, 3), }";
    char bytes[128 + 6000] = "\x93NUMPY\1\0v";
    memset(bytes + 10, ' ', 118);
    memcpy(bytes + 10, header, sizeof header - 1);
    for (size_t i = 128; i < sizeof bytes; i++) bytes[i] = (char)(i * i / 7);
    write_file(bytes, sizeof bytes);
    each_fails("NPY", (source_case){0});
    each_fails("NPY from a pipe", (source_case){.by_pipe = true});
}

/* The libraries' own allocations do not fail here. */
static void of_packed_bytes(void)
{
    unsigned char packed[1000];
    char text[2001] = "";
    for (int i = 0; i < 400; i++) strcat(text, "1.25\n");
    const size_t size = ZSTD_compress(packed, sizeof packed, text, 2000, 3);
    CHECK(!ZSTD_isError(size));
    write_file(packed, size);
    each_fails("zstd", (source_case){0});
    z_stream z = {.next_in = (unsigned char *)text, .avail_in = 2000, .next_out = packed};
    z.avail_out = sizeof packed;
    CHECK(deflateInit2(&z, 6, Z_DEFLATED, MAX_WBITS + 16, 8, Z_DEFAULT_STRATEGY) == Z_OK);
    CHECK(deflate(&z, Z_FINISH) == Z_STREAM_END);
    deflateEnd(&z);
    write_file(packed, z.total_out);
    each_fails("gzip", (source_case){.by_pipe = true});
}

/* `path` becomes a sound file of two channels. */
static void write_sound(int format)
{
    static float wave[2 * SAMPLES];
    SF_INFO info = {.samplerate = RATE, .channels = 2, .format = format};
    for (size_t i = 0; i < 2 * SAMPLES; i++) wave[i] = (float)((i * i) % 1000) / 1000 - 0.5F;
    SNDFILE *file = sf_open(path, SFM_WRITE, &info);
    CHECK_MSG(file && sf_write_float(file, wave, 2 * SAMPLES) == 2 * SAMPLES, "%s",
              sf_strerror(file));
    sf_close(file);
}

static void of_sound_files(void)
{
    static const struct {
        const char *name;
        int format;
        bool by_pipe;
    } kinds[] = {
        {"WAV", SF_FORMAT_WAV | SF_FORMAT_PCM_16, false},
        {"WAV from a pipe", SF_FORMAT_WAV | SF_FORMAT_PCM_16, true},
        {"FLAC", SF_FORMAT_FLAC | SF_FORMAT_PCM_16, false},
        {"Ogg", SF_FORMAT_OGG | SF_FORMAT_VORBIS, false},
        {"MP3", SF_FORMAT_MPEG | SF_FORMAT_MPEG_LAYER_III, false},
        {"AU from a pipe", SF_FORMAT_AU | SF_FORMAT_PCM_16, true},
    };
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        write_sound(kinds[i].format);
        each_fails(kinds[i].name, (source_case){.by_pipe = kinds[i].by_pipe});
    }
}

static void of_microphones(void)
{
    each_fails("microphone", (source_case){.is_mic = true});
}

/* Regression: the child that tries the sound system stayed a zombie if its parent got no worker. */
static void of_the_sound_system(void)
{
    char reason[64] = "";
    const mic_patience patience = {.wake_fd = -1};
    memory_fails_at(1, false);
    CHECK(!mic_portaudio.begin(&patience, reason, sizeof reason));
#ifndef SIGREP_NO_MIC
    CHECK(memory_mend() == 1 && strcmp(reason, "out of memory") == 0);
#endif
    memory_mend();
    CHECK(waitpid(-1, NULL, 0) < 0 && errno == ECHILD);
}

/* ---- writers ---- */

/* The file that a writer makes without failures; set by the first run. */
static char lines[1 << 20], wanted_lines[1 << 20];
static ssize_t wanted_size;

/* Regression: if the buffer could not grow, all its lines were lost. */
static bool a_failed_growth_of_the_output_loses_no_line(const void *user)
{
    const writer_match match = {.file = "in\n.wav",
                                .label = "\"yes\"",
                                .start = 4000,
                                .end = 8001,
                                .score = 0.1,
                                .threshold = 0.25,
                                .margin = 0.125,
                                .scale = {.rate_hz = 8000}};
    const int fd = open(path, O_RDWR | O_CREAT | O_TRUNC, 0600);
    writer w;
    const bool begun = writer_init(&w, user, (writer_style){.with_file = true}, fd);
    if (begun) writer_begin(&w);
    for (int i = 0; begun && i < 8000; i++) { /* more than there is room for at first */
        if (writer_add(&w, &match)) continue;
        CHECK(writer_flush(&w) == 0 && writer_add(&w, &match));
    }
    if (begun) writer_end(&w);
    CHECK(!begun || writer_flush(&w) == 0);
    writer_free(&w);
    const ssize_t n = pread(fd, lines, sizeof lines, 0);
    close(fd);
    if (begun && wanted_size == 0) memcpy(wanted_lines, lines, (size_t)(wanted_size = n));
    CHECK(n == (begun ? wanted_size : 0) && memcmp(lines, wanted_lines, (size_t)n) == 0);
    CHECK(!begun || n > 2 * WRITER_ROOM);
    return begun;
}

static void of_writers(void)
{
    static const writer_ops *const all[] = {&writer_text, &writer_json, &writer_csv, &writer_labels,
                                            &writer_raven};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        wanted_size = 0;
        CHECK(a_failed_growth_of_the_output_loses_no_line(all[i]) && wanted_size > 0);
        each_allocation_fails(all[i]->name, a_failed_growth_of_the_output_loses_no_line, all[i]);
    }
}

static bool write_wav(const void *user)
{
    (void)user;
    unlink(path);
    const int error = wav_write(path, values, SAMPLES, RATE);
    CHECK(error == 0 || (error == ENOMEM && access(path, F_OK) != 0));
    return error == 0;
}

static void of_wav_files(void)
{
    each_allocation_fails("wav_write", write_wav, NULL);
}

/* ---- storage ---- */

/* In memory up to 100 kB, then in a file. After a failure it can be cleared, and works. */
static bool spool_bytes(const void *user)
{
    static char bytes[400000], got[sizeof bytes];
    (void)user;
    spool *s = spool_create(100000);
    if (!s) return false;
    for (size_t i = 0; i < sizeof bytes; i++) bytes[i] = (char)(i * i >> 8);
    const bool good = spool_append(s, bytes, 1000) == 0 &&
                      spool_append(s, bytes + 1000, sizeof bytes - 1000) == 0;
    if (!good) {
        CHECK(strcmp(spool_error(s), "out of memory") == 0);
        memory_mend();
        CHECK(spool_clear(s) == 0 && spool_append(s, bytes, sizeof bytes) == 0);
    }
    CHECK(spool_read(s, 0, got, sizeof got) == 0 && memcmp(got, bytes, sizeof got) == 0);
    spool_destroy(s);
    return good;
}

static void of_the_spool(void)
{
    each_allocation_fails("spool", spool_bytes, NULL);
}

int main(void)
{
    if (!mkdtemp(folder)) return 2;
    snprintf(path, sizeof path, "%s/input", folder);
    RUN(of_text);
    RUN(of_json_lines);
    RUN(of_raw_samples);
    RUN(of_arrays);
    RUN(of_packed_bytes);
    RUN(of_sound_files);
    RUN(of_microphones);
    RUN(of_the_sound_system);
    RUN(of_writers);
    RUN(of_wav_files);
    RUN(of_the_spool);
    unlink(path);
    rmdir(folder);
    return check_done();
}
