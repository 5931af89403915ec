#include "tools/sigrep/plan.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/source.h"
#include "sigrep.h"
#include "tools/common/messages/messages.h"
#include "tools/common/shards/file_print.h"
#include "tools/common/templates/template_set.h"
#include "tools/sigrep/options/options.h"
#include "tools/sigrep/shard_check.h"

enum { PLAN_WORDS = 2 /* --shard-size SECONDS */ };

/* Of an input that does not say how long it is. false: it cannot be read to its end. */
static bool count_samples(source *src, uint64_t *n)
{
    enum { VALUES = 1 << 15 };
    const size_t channels = source_get_info(src).channels;
    float *frames = malloc((VALUES + channels) * sizeof *frames);
    ssize_t got = -1;
    *n = 0;
    while (frames && (got = source_read(src, frames, NULL, VALUES / channels + 1)) > 0)
        *n += (uint64_t)got;
    free(frames);
    return got == 0;
}

/* The first sample of shard k of a file. */
static uint64_t begin_of(const planned_file *f, double size_s, uint64_t k)
{
    return (uint64_t)llround((double)k * size_s * f->rate_hz);
}

/* Why a file cannot be cut; NULL: it can. Sets its print. */
static const char *why_not(planned_file *f, double size_s)
{
    const int failure = file_print(f->print, f->path);
    if (failure) return failure == EINVAL ? "is no file, and a shard needs one" : strerror(failure);
    if (strchr(f->path, '\n')) return "its name has a line break, so no line of a plan can hold it";
    if (size_s * f->rate_hz >= 1) return NULL;
    return "its shards would be shorter than a sample; give a longer --size";
}

bool plan_add(plan *p, const options *o, source *src, const char *path, const char **reason)
{
    const source_info info = source_get_info(src);
    planned_file f = {.path = path, .rate_hz = info.rate_hz, .samples = info.frames};
    if ((*reason = why_not(&f, o->shard_size_s))) return false;
    const bool is_counted = f.samples || count_samples(src, &f.samples);
    *reason = *source_error(src) ? source_error(src) : "out of memory";
    if (!is_counted) return false;
    while (f.shards == 0 || begin_of(&f, o->shard_size_s, f.shards) < f.samples) f.shards++;
    planned_file *files = realloc(p->files, (p->n + 1) * sizeof *files);
    if (!files) return false;
    p->files = files;
    files[p->n++] = f;
    p->shards += f.shards;
    return true;
}

/* A word of a POSIX shell. */
static void add_word(text_buffer *out, const char *word)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                "%+,-./:=@_";
    text_add_string(out, " ");
    if (*word && !word[strspn(word, plain)]) {
        text_add_string(out, word);
        return;
    }
    text_add_string(out, "'");
    for (; *word; word++) {
        if (*word == '\'')
            text_add_string(out, "'\\''");
        else
            text_add(out, word, 1);
    }
    text_add_string(out, "'");
}

/* Seconds that --range reads as this very sample. */
static void add_seconds(text_buffer *out, uint64_t sample, double rate_hz)
{
    char text[64];
    int n = snprintf(text, sizeof text, "%.9f", (double)sample / rate_hz);
    while (text[n - 1] == '0') n--;
    if (text[n - 1] == '.') n--;
    text_add(out, text, (size_t)n);
}

/* What all lines share: options, the template, how names are printed. */
static bool make_words(const char **words, size_t *n, const options *o, bool with_names)
{
    const size_t most = o->n_words;
    *n = 0;
    for (size_t i = PLAN_WORDS; i < most; i++) words[(*n)++] = o->words[i];
    if (*n > 0 && strcmp(words[*n - 1], "--") == 0) --*n;
    if (o->names_template) {
        words[(*n)++] = "-e";
        words[(*n)++] = o->words[o->n_words];
    }
    words[(*n)++] = with_names ? "-H" : "-h";
    words[(*n)++] = "--";
    for (size_t i = 0; i < *n; i++)
        if (strchr(words[i], '\n')) return false;
    return o->n_words >= PLAN_WORDS && strcmp(o->words[0], "--shard-size") == 0;
}

/* A line for each shard of a file. */
static void add_file(text_buffer *out, const planned_file *f, double size_s, shard_name *name,
                     const text_buffer *words)
{
    strcpy(name->file, f->print);
    for (uint64_t k = 0; k < f->shards; k++, name->number++) {
        text_add_string(out, "sigrep --shard ");
        shard_name_add(out, name);
        text_add_string(out, " --range ");
        add_seconds(out, begin_of(f, size_s, k), f->rate_hz);
        text_add_string(out, "-");
        if (k + 1 < f->shards) add_seconds(out, begin_of(f, size_s, k + 1), f->rate_hz);
        text_add(out, words->data, words->length);
        add_word(out, f->path);
        text_add_string(out, "\n");
    }
}

bool plan_print(const plan *p, const options *o, const template_set *set, bool with_names)
{
    shard_name name = {.number = 1, .count = p->shards};
    text_buffer out = {0}, line = {0};
    size_t n;
    const char **words = calloc(o->n_words + 4, sizeof *words);
    bool good = words || report_no_memory(NULL);
    if (good && !make_words(words, &n, o, with_names)) {
        report("--shard-size is an option of sigrep-shards, and no argument may have a line break");
        good = false;
    }
    good = good && shard_sum(&name.options, words, n, set);
    snprintf(name.version, sizeof name.version, "%s", sigrep_version());
    for (size_t i = 0; good && i < n; i++) add_word(&line, words[i]);
    for (size_t i = 0; good && i < p->n; i++)
        add_file(&out, &p->files[i], o->shard_size_s, &name, &line);
    free(words);
    free(line.data);
    if (good) return print_text(&out);
    free(out.data);
    return false;
}

void plan_free(plan *p)
{
    free(p->files);
    *p = (plan){0};
}
