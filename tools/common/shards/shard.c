#include "tools/common/shards/shard.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* One that only this version of sigrep reads. */
#define RESULT SHARD_BEGINS "1 "

enum { MOST_LABELS = 1 << 24 };

bool shard_name_parse(shard_name *name, const char *text)
{
    int n = 0;
    *name = (shard_name){0};
    const int read =
        sscanf(text, "%" SCNu64 "/%" SCNu64 ":%31[^: ]:%8" SCNx32 ":%63[0-9a-f-]%n", &name->number,
               &name->count, name->version, &name->options, name->file, &n);
    return read == 5 && text[n] == '\0' && name->number >= 1 && name->number <= name->count &&
           name->count < UINT64_MAX;
}

void shard_name_add(text_buffer *out, const shard_name *name)
{
    text_add_format(out, "%" PRIu64 "/%" PRIu64 ":%s:%08" PRIx32 ":%s", name->number, name->count,
                    name->version, name->options, name->file);
}

/* A sample, or "end" for that of the input. */
static void add_sample(text_buffer *out, uint64_t sample)
{
    if (sample == UINT64_MAX)
        text_add_string(out, "end");
    else
        text_add_format(out, "%" PRIu64, sample);
}

/* Read one, and what follows it. false: it is none. */
static bool parse_sample(const char **text, const char *then, uint64_t *sample)
{
    int n = 0;
    if (strncmp(*text, "end", 3) == 0) {
        *sample = UINT64_MAX;
        n = 3;
    } else if (sscanf(*text, "%" SCNu64 "%n", sample, &n) != 1) {
        return false;
    }
    *text += n;
    if (strncmp(*text, then, strlen(then)) != 0) return false;
    *text += strlen(then);
    return true;
}

void shard_head_add(text_buffer *out, const shard_head *head)
{
    text_add_string(out, RESULT);
    shard_name_add(out, &head->name);
    text_add_string(out, " ");
    add_sample(out, head->begin);
    text_add_string(out, "-");
    add_sample(out, head->end);
    text_add_format(out, " %.17g ", head->hold);
    text_add_escaped(out, head->path);
    text_add_string(out, "\n");
}

void shard_header_add(text_buffer *out, const char *bytes, size_t n)
{
    text_add_format(out, "header %zu\n", n);
    text_add(out, bytes, n);
}

void shard_match_add(text_buffer *out, const shard_match *match, const char *line)
{
    text_add_format(out, "%" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 "\n",
                    match->final, match->label, match->start, match->end, match->bytes);
    text_add(out, line, (size_t)match->bytes);
}

void shard_end_add(text_buffer *out, const shard_end *end)
{
    text_add_string(out, "end ");
    add_sample(out, end->join);
    text_add_format(out, " %" PRIu64 " %08" PRIx32 "\n", end->matches, end->checksum);
}

bool shard_head_parse(shard_head *head, const char *line)
{
    char name[SHARD_VERSION + SHARD_FILE + 64];
    int n = 0;
    if (strncmp(line, RESULT, strlen(RESULT)) != 0) return false;
    line += strlen(RESULT);
    *head = (shard_head){0};
    if (sscanf(line, "%159s%n", name, &n) != 1 || line[n] != ' ') return false;
    line += n + 1;
    if (!parse_sample(&line, "-", &head->begin) || !parse_sample(&line, " ", &head->end) ||
        sscanf(line, "%lf%n", &head->hold, &n) != 1)
        return false;
    head->path = line + n + 1;
    return line[n] == ' ' && shard_name_parse(&head->name, name) && head->begin < head->end;
}

bool shard_header_parse(uint64_t *bytes, const char *line)
{
    int n = 0;
    return sscanf(line, "header %" SCNu64 "%n", bytes, &n) == 1 && line[n] == '\0';
}

bool shard_match_parse(shard_match *m, const char *line)
{
    int n = 0;
    const int read = sscanf(line, "%" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64 "%n",
                            &m->final, &m->label, &m->start, &m->end, &m->bytes, &n);
    return read == 5 && line[n] == '\0' && m->start < m->end && m->label < MOST_LABELS;
}

bool shard_end_parse(shard_end *end, const char *line)
{
    int n = 0;
    if (strncmp(line, "end ", 4) != 0) return false;
    line += 4;
    if (!parse_sample(&line, " ", &end->join)) return false;
    const int read = sscanf(line, "%" SCNu64 " %8" SCNx32 "%n", &end->matches, &end->checksum, &n);
    return read == 2 && line[n] == '\0';
}
