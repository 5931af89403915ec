#include "tools/common/templates/template_set.h"

#include <dirent.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "io/time/time_format.h"
#include "tools/common/input/open_input.h"
#include "tools/common/messages/messages.h"
#include "tools/common/options/template_spec.h"
#include "tools/common/templates/bundle_file.h"
#include "tools/common/templates/selections.h"

/* The most values of a file that a template is cut out of, so that none exhausts the memory. */
static const uint64_t MOST_VALUES_CUT = (uint64_t)1 << 28;

/*
 * The format of a template may differ from the stream's. The first of these counts: its header; a
 * raw format as the extension of its name, since a few samples may well look like text; its bytes;
 * a raw format of -f. With -f a first line that looks like text is not enough to be text.
 */
static source_options template_source_options(const shared_options *o, const char *path)
{
    source_options s = o->source;
    s.is_template = true;
    s.wake_fd = -1;
    s.is_named = source_format_from_name(path, &s);
    if (s.format == SOURCE_TEXT || s.format == SOURCE_NPY) s.format = SOURCE_AUTO;
    return s;
}

/* Make room for `frames` more. */
static bool grow(loaded_template *t, size_t *capacity, size_t frames)
{
    uint64_t needed = t->length + frames;
    if (needed <= *capacity) return true;
    size_t wanted = *capacity ? *capacity : frames;
    while (wanted < needed) wanted *= 2;
    const size_t values = wanted * t->info.channels;
    float *samples = realloc(t->samples, values * sizeof *samples);
    if (samples) t->samples = samples;
    double *doubles = t->info.is_wide ? realloc(t->doubles, values * sizeof *doubles) : NULL;
    if (doubles) t->doubles = doubles;
    if (!samples || (t->info.is_wide && !doubles)) return report_no_memory(t->path);
    *capacity = wanted;
    return true;
}

/* Read up to n samples behind those that were read. */
static ssize_t read_more(loaded_template *t, source *src, exact_time *times, size_t n)
{
    const size_t at = (size_t)t->length * t->info.channels;
    if (!t->info.is_wide) return source_read(src, t->samples + at, times, n);
    const ssize_t got = source_read_doubles(src, t->doubles + at, times, n);
    for (size_t i = 0; got > 0 && i < (size_t)got * t->info.channels; i++)
        t->samples[at + i] = (float)t->doubles[at + i];
    return got;
}

/* Read at once. Their times are on the stack, of which 128 KiB are sure to be there. */
enum { STEP_VALUES = 2048 };

/* Read as much as the library takes; more if only parts are kept. The n_cuts get the times. */
static bool read_all(loaded_template *t, source *src, bool is_cut, time_cut *cuts, size_t n_cuts)
{
    const uint64_t most = is_cut ? MOST_VALUES_CUT : SIGREP_TEMPLATE_MAX_VALUES;
    size_t channels = t->info.channels, capacity = 0;
    const size_t step = channels < STEP_VALUES ? STEP_VALUES / channels : 1;
    exact_time times[STEP_VALUES];
    for (;;) {
        if (!grow(t, &capacity, step)) return false;
        ssize_t n = read_more(t, src, times, step);
        input_warn(t->path, src);
        if (n < 0) {
            report_of(t->path, "%s", source_error(src));
            return false;
        }
        if (n == 0) return true;
        for (size_t i = 0; i < n_cuts; i++) time_cut_add(&cuts[i], times, (size_t)n);
        t->length += (uint64_t)n;
        if (t->length * channels > most) {
            report_of(t->path, "longer than %llu values, too long for a template; %s",
                      (unsigned long long)most,
                      is_cut ? "make a file of the part" : "cut a part out with @START-END");
            return false;
        }
    }
}

/* Cut by the rate. */
static bool cut_by_rate(loaded_template *t, const time_range *range)
{
    const double begin = round(range->start_s * t->info.rate_hz);
    const double end = round(range->end_s * t->info.rate_hz);
    if (range->kind == RANGE_DATES)
        report_of(t->path, "@%s has dates, but no column gives its times; see --time-column",
                  range->text);
    else if (range->end_s < range->start_s)
        report_of(t->path, "@%s ends before it begins", range->text);
    else if (end > (double)t->length)
        report_of(t->path, "@%s lies outside the file, which ends at %.9g s", range->text,
                  (double)t->length / t->info.rate_hz);
    else if (begin == end)
        report_of(t->path, "@%s is shorter than a sample", range->text);
    else {
        t->begin = (uint64_t)begin;
        t->end = (uint64_t)end;
        return true;
    }
    return false;
}

/* Cut by the file's own times. */
static bool cut_by_times(loaded_template *t, const time_cut *c)
{
    const time_scale scale = {.rate_hz = t->info.rate_hz, .from_column = true};
    const time_style style = t->info.times == SOURCE_ISO ? TIME_CLOCK : TIME_SECONDS;
    char first[TIME_TEXT_SIZE], last[TIME_TEXT_SIZE];
    const char *reason = time_cut_find(c, &t->begin, &t->end);
    if (!reason) return true;
    time_format(first, style, &scale, (time_point){.time = c->first});
    time_format(last, style, &scale, (time_point){.time = c->last});
    report_of(t->path, "@%s %s; its times go from %s to %s", c->range->text, reason, first, last);
    return false;
}

/* None of 750 recordings of digits has more than 0.015 % of its samples this near to full scale.
 * The score of words rises from 5.83 to 6.10 if 1 % is clipped, and to 6.50 if 5 % is
 * (docs/lab/thresholds.md). A peak or two is no clipping. */
static const float NEAR_FULL_SCALE = 0.01F;
enum { CLIPPED_ONE_IN = 100, CLIPPED_LEAST = 10 };

/* Digital silence: all samples are the same. */
static bool is_silent(const float *samples, uint64_t n, size_t channels)
{
    for (uint64_t t = 1; t < n; t++)
        if (memcmp(samples, samples + t * channels, channels * sizeof *samples) != 0) return false;
    return n > 1;
}

/* Floats may go far above full scale, and are not clipped there. */
static uint64_t count_full_scale(const float *values, uint64_t n)
{
    uint64_t full = 0;
    for (uint64_t i = 0; i < n; i++) full += fabsf(fabsf(values[i]) - 1) <= NEAR_FULL_SCALE;
    return full;
}

/* Can a template of audio be searched for? Reports silence in the part that is kept, and returns
 * false. Warns of clipping. Numbers always pass. */
static bool sound_is_fit(const loaded_template *t)
{
    if (!t->info.audio) return true;
    const size_t channels = t->info.channels;
    const float *samples = t->samples + t->begin * channels;
    const uint64_t n = template_kept(t);
    if (is_silent(samples, n, channels)) {
        report_of(t->path, "silent: all %llu samples%s are the same", (unsigned long long)n,
                  t->end ? " of that part" : "");
        return false;
    }
    const uint64_t full = count_full_scale(samples, n * channels);
    if (full >= CLIPPED_LEAST && full >= n * channels / CLIPPED_ONE_IN)
        report_of(t->path,
                  "warning: clipped: %.3g %% of its samples are at full scale; a quieter recording "
                  "would match better",
                  100 * (double)full / (double)(n * channels));
    return true;
}

/* Are its samples compared as they are, as far as is known before all templates are loaded? Those
 * of a measured rate may be resampled, which keeps their digits. */
static bool is_raw(const template_set *set, const loaded_template *t, const shared_options *o)
{
    if (t->info.rate_measured) return false;
    const char *front_end = set->bundle ? set->bundle_front_end : t->info.audio ? "mfcc" : "raw";
    if (o->front_end) front_end = o->front_end;
    return strcmp(front_end, "raw") == 0 || strncmp(front_end, "zmatch", 6) == 0;
}

/* Does another template, or an input, bring the warnings of this file? */
static bool is_read_elsewhere(const template_set *set, const char *path, const shared_options *o)
{
    size_t i = 0, k = 0;
    while (i < set->n && strcmp(set->items[i].path, path) != 0) i++;
    while (k < o->n_inputs && strcmp(o->inputs[k], path) != 0) k++;
    return i < set->n || k < o->n_inputs;
}

/* A part of a file that becomes a template. range: NULL: all of the file. */
typedef struct {
    const char *label; /* NULL: the name of the file */
    const time_range *range;
    double low_hz, high_hz; /* high_hz 0: not given */
} file_part;

/* Read a file for the part, and for those that share its samples. cuts: NULL, or of each. */
static bool read_file(const template_set *set, loaded_template *t, const file_part *parts, size_t n,
                      time_cut *cuts, const shared_options *o)
{
    source *src = open_input(t->path, template_source_options(o, t->path), NULL);
    if (!src) return false;
    t->info = source_get_info(src);
    if (is_raw(set, t, o) && !is_read_elsewhere(set, t->path, o)) source_watch_rounding(src);
    const bool is_cut = parts->range != NULL;
    const bool has_times = is_cut && t->info.times != SOURCE_NO_TIMES;
    for (size_t i = 0; has_times && i < n; i++) cuts[i] = time_cut_of(parts[i].range, &t->info);
    const bool good = read_all(t, src, is_cut, cuts, has_times ? n : 0);
    source_close(src);
    return good;
}

/* Add the part of a file that was read. It owns the samples if it is the first. */
static bool add_part(template_set *set, loaded_template t, const file_part *part,
                     const time_cut *cut)
{
    const bool has_times = t.info.times != SOURCE_NO_TIMES;
    const char *path = t.path;
    t.label = part->label ? strdup(part->label) : template_stem(path);
    t.path = strdup(path);
    t.low_hz = part->low_hz;
    t.high_hz = part->high_hz;
    bool good = (t.path && t.label) || report_no_memory(path);
    if (good && part->range)
        good = has_times ? cut_by_times(&t, cut) : cut_by_rate(&t, part->range);
    if (good && sound_is_fit(&t)) return templates_add(set, &t);
    loaded_template_free(&t);
    return false;
}

/* Add all n parts of a file, which is read once. */
static bool load_parts(template_set *set, const shared_options *o, const char *path,
                       const file_part *parts, size_t n)
{
    loaded_template t = {.path = (char *)path}; /* each template gets a copy */
    time_cut *cuts = calloc(n, sizeof *cuts);
    bool good = cuts ? read_file(set, &t, parts, n, cuts, o) : report_no_memory(path);
    for (size_t i = 0; i < n && good; i++) {
        good = add_part(set, t, &parts[i], &cuts[i]);
        t.shares_samples = true;
    }
    if (!t.shares_samples) { /* none took them over */
        free(t.samples);
        free(t.doubles);
    }
    free(cuts);
    return good;
}

/* A part that could not be understood belongs to the name, and then there is no such file. */
static bool is_wrong_part(const char *path)
{
    const char *at = strrchr(path, '@');
    char *file = at ? strndup(path, (size_t)(at - path)) : NULL;
    const bool is_wrong = file && access(path, F_OK) != 0 && access(file, F_OK) == 0;
    if (is_wrong)
        report_of(file,
                  "'%s' is no part of it: write @START-END, with START before END, or @TABLE or "
                  "@TABLE:ROW with a selection table or a label track",
                  at);
    free(file);
    return is_wrong;
}

/* Add the parts of a recording that a table names. */
static bool load_selections(template_set *set, const shared_options *o, const template_spec *spec,
                            const char *path)
{
    selection_list list;
    bool good = selections_load(&list, path);
    file_part *parts = good ? calloc(list.n, sizeof *parts) : NULL;
    if (good && !parts) good = report_no_memory(path);
    for (size_t i = 0; i < list.n && good; i++) {
        const selection *s = &list.items[i];
        const bool has_own = s->label && (!spec->label || spec->is_default_label);
        parts[i] = (file_part){.label = has_own ? s->label : spec->label,
                               .range = &s->range,
                               .low_hz = s->low_hz,
                               .high_hz = s->high_hz};
    }
    good = good && load_parts(set, o, list.recording, parts, list.n);
    free(parts);
    selections_free(&list);
    return good;
}

static bool load_file(template_set *set, const shared_options *o, const template_spec *spec,
                      const char *path)
{
    if (!spec->has_range && selections_are_named(path)) return load_selections(set, o, spec, path);
    if (is_wrong_part(path)) return false;
    if (bundle_is_named(path)) return bundle_takes_load(set, o, spec, path);
    const file_part part = {.label = spec->label, .range = spec->has_range ? &spec->range : NULL};
    return load_parts(set, o, path, &part, 1);
}

typedef struct {
    char **names; /* of path/name */
    size_t n;
} name_list;

static void free_names(name_list *list)
{
    for (size_t i = 0; i < list->n; i++) free(list->names[i]);
    free(list->names);
}

static int by_bytes(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static bool add_name(name_list *list, const char *directory, const char *name)
{
    size_t length = strlen(directory);
    const char *slash = length > 0 && directory[length - 1] == '/' ? "" : "/";
    size_t size = length + strlen(name) + 2;
    char *path = malloc(size);
    if (!path) return report_no_memory(directory);
    snprintf(path, size, "%s%s%s", directory, slash, name);
    struct stat status;
    const bool good = stat(path, &status) == 0;
    if (!good) report_of(path, "%s", strerror(errno));
    if (!good || !S_ISREG(status.st_mode)) {
        free(path);
        return good;
    }
    char **names = realloc(list->names, (list->n + 1) * sizeof *names);
    if (!names) {
        free(path);
        return report_no_memory(directory);
    }
    list->names = names;
    names[list->n++] = path;
    return true;
}

/* The regular files of a directory, hidden ones left out, in strcmp order. */
static bool list_directory(name_list *list, const char *path)
{
    DIR *directory = opendir(path);
    bool good = directory != NULL;
    const struct dirent *entry;
    if (!directory) report_of(path, "%s", strerror(errno));
    while (good && (errno = 0, entry = readdir(directory))) {
        if (entry->d_name[0] != '.') good = add_name(list, path, entry->d_name);
    }
    if (good && errno) {
        report_of(path, "%s", strerror(errno));
        good = false;
    }
    if (directory) closedir(directory);
    if (good && list->n == 0) {
        report_of(path, "no template in this directory");
        good = false;
    }
    if (good) qsort(list->names, list->n, sizeof *list->names, by_bytes);
    return good;
}

static bool load_directory(template_set *set, const shared_options *o, const template_spec *spec)
{
    name_list list = {0};
    bool good = list_directory(&list, spec->path);
    for (size_t i = 0; i < list.n && good; i++) good = load_file(set, o, spec, list.names[i]);
    free_names(&list);
    return good;
}

/* The front end of the options, else of the bundles, else the default for the templates. */
static bool choose_front_end(template_set *set, const shared_options *o)
{
    const loaded_template *first = &set->items[0];
    set->front_end = first->info.audio ? "mfcc" : "raw";
    if (set->bundle) set->front_end = set->bundle_front_end;
    if (o->front_end) set->front_end = o->front_end;
    for (size_t i = 1; i < set->n && !o->front_end; i++) {
        const loaded_template *t = &set->items[i];
        if (t->info.audio == first->info.audio) continue;
        report_of(t->path, "%s, but %s is %s; choose with --front-end how to compare them",
                  t->info.audio ? "audio" : "numbers", first->path,
                  first->info.audio ? "audio" : "numbers");
        return false;
    }
    return true;
}

bool templates_load(template_set *set, const shared_options *o)
{
    *set = (template_set){0};
    for (size_t i = 0; i < o->n_templates; i++) {
        const template_spec *spec = &o->templates[i];
        struct stat status;
        bool directory = stat(spec->path, &status) == 0 && S_ISDIR(status.st_mode);
        if (!(directory ? load_directory(set, o, spec) : load_file(set, o, spec, spec->path)))
            return false;
    }
    return choose_front_end(set, o);
}

void templates_warn_of_labels(const template_set *set, const shared_options *o)
{
    for (size_t i = 0; i < set->n && o->has_min_matches; i++) {
        const loaded_template *t = &set->items[i];
        const size_t n = templates_of_label(set, t);
        if (t->first_of_label == i && n < o->min_matches)
            report_of(t->label, "warning: it cannot match: --min-matches %llu, but %zu template%s",
                      (unsigned long long)o->min_matches, n, n == 1 ? "" : "s");
    }
}

bool templates_fit_some_rate(const template_set *set)
{
    sigrep_status status = SIGREP_BAD_FRONT_END;
    for (double rate_hz = 1; status && rate_hz < 1e8; rate_hz *= 10) {
        /* A bundle is all that can be made of a front end alone. */
        const sigrep_bundle_info info = {.size = sizeof info,
                                         .front_end = set->front_end,
                                         .rate_hz = rate_hz,
                                         .channels = set->channels};
        sigrep_bundle *bundle;
        status = sigrep_bundle_create(&bundle, &info, NULL);
        sigrep_bundle_destroy(bundle);
    }
    return !status;
}
