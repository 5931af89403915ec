/*
 * spot.c - a keyword spotter on libsigrep alone.
 *
 *     spot THRESHOLD KEYWORD STREAM
 *
 *     KEYWORD --> load_keyword --+
 *     STREAM  --> search --------+--> sigrep_push --> print_match --> START END SCORE (seconds)
 *
 * The front end is `mfcc`. libsndfile reads both files, at any rate. They must have the same
 * number of channels.
 */
#include <sndfile.h>
#include <stdio.h>
#include <stdlib.h>

#include "sigrep.h"

enum { BLOCK_VALUES = 65536 };

static SNDFILE *open_sound(const char *path, SF_INFO *info)
{
    SNDFILE *file = sf_open(path, SFM_READ, info);
    if (!file) fprintf(stderr, "spot: %s: %s\n", path, sf_strerror(NULL));
    return file;
}

/* All of a file as a template. Returns its samples, which the caller frees; NULL on failure. */
static float *load_keyword(const char *path, int channels, sigrep_template *keyword)
{
    SF_INFO info = {0};
    SNDFILE *file = open_sound(path, &info);
    if (!file) return NULL;
    if (info.channels != channels) {
        fprintf(stderr, "spot: %s: the stream has other channels\n", path);
        sf_close(file);
        return NULL;
    }
    float *samples = calloc((size_t)info.frames, sizeof *samples * (size_t)info.channels);
    if (samples) keyword->length = (uint64_t)sf_readf_float(file, samples, info.frames);
    keyword->samples = samples;
    keyword->rate_hz = info.samplerate;
    sf_close(file);
    if (!samples) fprintf(stderr, "spot: %s: out of memory\n", path);
    return samples;
}

static int print_match(void *user, const sigrep_match *match)
{
    const double rate_hz = *(const double *)user;
    printf("%.3f\t%.3f\t%.3f\n", (double)match->start / rate_hz, (double)match->end / rate_hz,
           match->score);
    return fflush(stdout) != 0;
}

static sigrep_status search(SNDFILE *stream, const SF_INFO *info, const sigrep_template *keyword)
{
    static float block[BLOCK_VALUES];
    double rate_hz = info->samplerate;
    sigrep_config config;
    sigrep_config_init(&config, sizeof config);
    config.templates = keyword;
    config.n_templates = 1;
    config.channels = (size_t)info->channels;
    config.rate_hz = rate_hz;
    config.template_rate_hz = keyword->rate_hz;
    config.front_end = "mfcc";
    config.on_match = print_match;
    config.user = &rate_hz;
    sigrep *spotter;
    sigrep_error error;
    sigrep_status status = sigrep_create(&spotter, &config, &error);
    if (status) {
        fprintf(stderr, "spot: %s\n", error.text);
        return status;
    }
    sf_count_t n;
    while (!status && (n = sf_readf_float(stream, block, BLOCK_VALUES / info->channels)) > 0)
        status = sigrep_push(spotter, block, (size_t)n);
    if (!status) status = sigrep_finish(spotter);
    if (status) fprintf(stderr, "spot: %s\n", sigrep_status_text(status));
    sigrep_destroy(spotter);
    return status;
}

int main(int argc, char **argv)
{
    if (argc != 4) {
        fprintf(stderr, "usage: spot THRESHOLD KEYWORD STREAM\n");
        return 2;
    }
    sigrep_template keyword = {.size = sizeof(sigrep_template), .threshold = strtod(argv[1], NULL)};
    SF_INFO info = {0};
    SNDFILE *stream = open_sound(argv[3], &info);
    float *samples = stream ? load_keyword(argv[2], info.channels, &keyword) : NULL;
    const int is_searched = samples && search(stream, &info, &keyword) == SIGREP_OK;
    if (stream) sf_close(stream);
    free(samples);
    return is_searched ? 0 : 2;
}
