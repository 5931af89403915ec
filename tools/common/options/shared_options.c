#include "tools/common/options/shared_options.h"

#include <stdlib.h>
#include <string.h>

#include "io/escape.h"
#include "io/time/time_format.h"
#include "tools/common/options/number.h"
#include "tools/common/options/template_spec.h"

/* Bounds that keep sums of sizes far from overflow; no limits of taste. */
enum {
    MAX_COLUMNS = 4096 /* of a list */,
    MAX_CHANNELS = 4096,
    MAX_CHANNEL = 1 << 20,
    MAX_THREADS = 1024
};
static const double MAX_GATE = 64; /* template lengths */
static const char no_memory[] = "out of memory";

/* Parse an item of digits and dashes, "4" or "4-6". The item is changed. */
static bool parse_range(char *item, uint64_t *first, uint64_t *last)
{
    char *dash = strchr(item, '-');
    if (dash) *dash = '\0';
    if (!number_whole(item, 1, COLUMN_MOST, first)) return false;
    *last = *first;
    return !dash || number_whole(dash + 1, *first, COLUMN_MOST, last);
}

/* Cut the item at *rest, which moves on; NULL: it was the last one. In quotes it is a name, and may
 * hold commas; two quotes there are one, as in names of a header. */
static char *cut_item(char **rest, bool *is_quoted)
{
    char *item = *rest, *end = item + 1;
    while (*item == '"' && *end && (*end != '"' || end[1] == '"')) end += *end == '"' ? 2 : 1;
    *is_quoted = *item == '"' && *end == '"' && (end[1] == ',' || end[1] == '\0');
    char *comma = *is_quoted ? end + 1 : strchr(item, ',');
    *rest = comma && *comma ? comma + 1 : NULL;
    if (comma) *comma = '\0';
    if (!*is_quoted) return item;
    item++;
    item[quotes_join(item, (size_t)(end - item))] = '\0';
    return item;
}

static const char *add_item(column_list *l, char *item, bool is_quoted)
{
    uint64_t first = 0, last = 0;
    const bool is_name = is_quoted || item[strspn(item, "0123456789-")] != '\0';
    if (!is_name && !parse_range(item, &first, &last))
        return "not a list such as 2,4-6 (from 1) or x,y";
    if (last - first >= MAX_COLUMNS - l->n) return "more than 4096 columns";
    for (; first <= last; first++) {
        l->names[l->n] = is_name ? item : NULL;
        l->numbers[l->n++] = (size_t)first;
    }
    return NULL;
}

const char *column_list_parse(column_list *l, const char *text)
{
    column_list_free(l);
    l->numbers = malloc(MAX_COLUMNS * sizeof *l->numbers);
    l->names = malloc(MAX_COLUMNS * sizeof *l->names);
    l->text = strdup(text);
    const char *reason = l->numbers && l->names && l->text ? NULL : no_memory;
    for (char *rest = l->text; rest && !reason;) {
        bool is_quoted;
        char *item = cut_item(&rest, &is_quoted);
        reason = add_item(l, item, is_quoted);
    }
    if (reason) column_list_free(l);
    return reason;
}

const char *column_list_parse_few(column_list *l, size_t most, const char *text, const char *wrong)
{
    const char *reason = column_list_parse(l, text);
    if (reason == no_memory) return reason;
    return reason || l->n > most ? wrong : NULL;
}

void column_list_free(column_list *l)
{
    free(l->numbers);
    free(l->names);
    free(l->text);
    *l = (column_list){0};
}

static const char *set_template(shared_options *o, const char *text)
{
    template_spec *grown = realloc(o->templates, (o->n_templates + 1) * sizeof *grown);
    if (!grown) return no_memory;
    o->templates = grown;
    const char *reason = template_spec_parse(&grown[o->n_templates], text);
    if (!reason) o->n_templates++;
    return reason;
}

static const char *set_threshold(shared_options *o, const char *text)
{
    o->auto_threshold = strcmp(text, "auto") == 0;
    o->has_threshold = !o->auto_threshold;
    o->threshold = 0;
    if (o->auto_threshold) return NULL;
    if (!number_real(text, &o->threshold) || o->threshold < 0)
        return "neither auto nor a number, 0 or above";
    o->threshold += 0.0; /* -0 */
    return NULL;
}

static const char *set_length(shared_options *o, const char *text)
{
    static const char reason[] = "not MIN,MAX with 0 <= MIN <= MAX <= 64";
    const char *comma = strchr(text, ',');
    double min, max;
    if (!comma || !number_real_part(text, (size_t)(comma - text), &min)) return reason;
    if (!number_real(comma + 1, &max)) return reason;
    if (!(0 <= min && min <= max && max <= MAX_GATE)) return reason;
    o->length_min = min + 0.0;
    o->length_max = max + 0.0;
    o->has_length = true;
    return NULL;
}

static const char *set_min_matches(shared_options *o, const char *text)
{
    o->has_min_matches = number_whole(text, 1, SIZE_MAX, &o->min_matches);
    return o->has_min_matches ? NULL : "not a whole number, 1 or above";
}

static const char *set_front_end(shared_options *o, const char *text)
{
    o->front_end = text;
    return *text ? NULL : "it is empty";
}

static const char *set_format(shared_options *o, const char *text)
{
    return source_parse_format(text, &o->source) ? NULL
                                                 : "unknown format (auto, audio, text, csv, tsv, "
                                                   "jsonl, npy, f32, f64, s16, s24, s32, s8, u8, "
                                                   "ulaw, alaw; le or be "
                                                   "may follow raw ones)";
}

static const char *parse_rate(double *rate_hz, const char *text)
{
    double rate;
    if (!number_real(text, &rate) || !(rate >= TIME_RATE_MIN && rate <= TIME_RATE_MAX))
        return "not a rate in Hz, from 1e-9 to 1e12";
    *rate_hz = rate;
    return NULL;
}

static const char *set_rate(shared_options *o, const char *text)
{
    return parse_rate(&o->source.rate_hz, text);
}

static const char *set_resample_times(shared_options *o, const char *text)
{
    return parse_rate(&o->source.even_hz, text);
}

static const char *set_channels(shared_options *o, const char *text)
{
    uint64_t n;
    if (!number_whole(text, 1, MAX_CHANNELS, &n)) return "not a whole number from 1 to 4096";
    o->source.channels = (size_t)n;
    return NULL;
}

static const char *set_channel(shared_options *o, const char *text)
{
    uint64_t n;
    if (strcmp(text, "mix") == 0) {
        o->source.choice = CHANNEL_MIX;
    } else if (strcmp(text, "each") == 0) {
        o->source.choice = CHANNEL_EACH;
    } else if (number_whole(text, 1, MAX_CHANNEL, &n)) {
        o->source.choice = CHANNEL_ONE;
        o->source.channel = (size_t)n;
    } else {
        return "not mix, each or the number of a channel, from 1";
    }
    return NULL;
}

static const char *set_columns(shared_options *o, const char *text)
{
    const char *reason = column_list_parse(&o->columns, text);
    o->source.columns = o->columns.numbers;
    o->source.column_names = o->columns.names;
    o->source.n_columns = o->columns.n;
    return reason;
}

static const char *set_time_column(shared_options *o, const char *text)
{
    column_list *l = &o->time_columns;
    const char *reason = column_list_parse_few(
        l, 2, text, "neither the number of a column, from 1, nor a name, nor two of them");
    if (reason) return reason;
    o->source.time_column = l->numbers[0];
    o->source.time_name = l->names[0];
    o->source.clock_column = l->n == 2 ? l->numbers[1] : 0;
    o->source.clock_name = l->n == 2 ? l->names[1] : NULL;
    return NULL;
}

static const char *set_time_format(shared_options *o, const char *text)
{
    o->source.time_format = &o->time_format;
    return time_pattern_parse(&o->time_format, text);
}

/* Set *index to that of the word in the list. false: it is not there. */
static bool find_word(const char *text, const char *const *words, size_t n, size_t *index)
{
    for (*index = 0; *index < n; ++*index)
        if (strcmp(words[*index], text) == 0) return true;
    return false;
}

static const char *set_time_unit(shared_options *o, const char *text)
{
    static const char *const units[] = {"s", "ms", "us", "ns"};
    size_t i;
    if (!find_word(text, units, sizeof units / sizeof *units, &i)) return "not s, ms, us or ns";
    o->source.time_unit = (time_unit)(TIME_UNIT_S + (int)i);
    return NULL;
}

static const char *set_header(shared_options *o, const char *text)
{
    static const char *const words[] = {"yes", "no"};
    size_t i;
    if (!find_word(text, words, sizeof words / sizeof *words, &i)) return "neither yes nor no";
    o->source.header = i == 0 ? HEADER_YES : HEADER_NO;
    return NULL;
}

static const char *set_decimal(shared_options *o, const char *text)
{
    o->source.decimal = *text;
    return (*text == ',' || *text == '.') && !text[1] ? NULL : "neither , nor .";
}

/* Not what is in numbers, names and quotes, or separates. */
static const char *set_comment(shared_options *o, const char *text)
{
    o->source.comment = *text;
    return *text && !text[1] && strchr("!#$%&*/;<=>@^|~:", *text)
               ? NULL
               : "not one of ! # $ % & * / ; < = > @ ^ | ~ :";
}

static const char *set_seconds(double *seconds, const char *text)
{
    return number_real(text, seconds) && *seconds > 0 ? NULL : "not a number of seconds, above 0";
}

static const char *set_fill(shared_options *o, const char *text)
{
    return set_seconds(&o->source.fill_s, text);
}

static const char *set_duration(shared_options *o, const char *text)
{
    return set_seconds(&o->duration_s, text);
}

static const char *set_threads(shared_options *o, const char *text)
{
    return number_whole(text, 1, MAX_THREADS, &o->threads) ? NULL
                                                           : "not a whole number from 1 to 1024";
}

static const char *set_device(shared_options *o, const char *text)
{
    o->device = text;
    if (strcmp(text, "auto") == 0 || strcmp(text, "cpu") == 0) return NULL;
    if (strcmp(text, "cuda") == 0 || strcmp(text, "cuda:all") == 0) return NULL;
    uint64_t gpu;
    if (strncmp(text, "cuda:", 5) == 0 && number_whole(text + 5, 0, 999, &gpu)) return NULL;
    return "unknown device (auto, cpu, cuda, cuda:N, cuda:all)";
}

static const struct {
    const char *name;
    const char *(*set)(shared_options *o, const char *text);
} setters[] = {
    {"template", set_template},   {"threshold", set_threshold},
    {"length", set_length},       {"min-matches", set_min_matches},
    {"front-end", set_front_end}, {"format", set_format},
    {"rate", set_rate},           {"channels", set_channels},
    {"channel", set_channel},     {"duration", set_duration},
    {"threads", set_threads},     {"columns", set_columns},
    {"fill", set_fill},           {"time-column", set_time_column},
    {"time-unit", set_time_unit}, {"time-format", set_time_format},
    {"header", set_header},       {"decimal", set_decimal},
    {"comment", set_comment},     {"resample-times", set_resample_times},
    {"device", set_device},
};

const char *shared_options_set(shared_options *o, const char *name, const char *argument)
{
    for (size_t i = 0; i < sizeof setters / sizeof *setters; i++)
        if (strcmp(setters[i].name, name) == 0) return setters[i].set(o, argument);
    return "no such option";
}

/* What belongs to the times of a column. */
static const char *check_times(const source_options *s)
{
    if (s->time_format && s->time_unit)
        return "--time-unit is of numbers, which have no --time-format";
    if (s->even_hz > 0 && s->rate_hz > 0)
        return "--resample-times gives the rate, so not with --rate";
    if (source_wants_times(s)) return NULL;
    if (s->even_hz > 0) return "--resample-times belongs to --time-column";
    if (s->time_format) return "--time-format belongs to --time-column";
    return s->time_unit ? "--time-unit belongs to --time-column" : NULL;
}

const char *shared_options_set_inputs(shared_options *o, int n, char **names)
{
    const char *reason = check_times(&o->source);
    if (reason) return reason;
    o->n_inputs = n > 0 ? (size_t)n : 1;
    o->inputs = malloc(o->n_inputs * sizeof *o->inputs);
    if (!o->inputs) return no_memory;
    o->inputs[0] = "-";
    for (int i = 0; i < n; i++) o->inputs[i] = names[i];
    return NULL;
}

shared_options shared_options_defaults(void)
{
    return (shared_options){.length_min = 0.5,
                            .length_max = 2,
                            .min_matches = 1,
                            .device = "auto",
                            .source = {.wake_fd = -1}};
}

void shared_options_free(shared_options *o)
{
    for (size_t i = 0; i < o->n_templates; i++) template_spec_free(&o->templates[i]);
    free(o->templates);
    free(o->inputs);
    column_list_free(&o->columns);
    column_list_free(&o->time_columns);
    *o = (shared_options){0};
}
