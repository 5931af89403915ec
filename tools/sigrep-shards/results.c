#include "tools/sigrep-shards/results.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "tools/common/messages/messages.h"

static const char *results_name(const char *file)
{
    return strcmp(file, "-") == 0 ? "(standard input)" : file;
}

bool result_line(result_reader *r)
{
    const ssize_t n = getline(&r->line, &r->room, r->file);
    r->sum_before = r->sum;
    if (n <= 0 || r->line[n - 1] != '\n') {
        if (r->line) r->line[0] = '\0';
        return false;
    }
    r->sum = (uint32_t)crc32_z(r->sum, (const unsigned char *)r->line, (size_t)n);
    r->line[n - 1] = '\0';
    return true;
}

bool result_bytes(result_reader *r, uint64_t n, text_buffer *out)
{
    char bytes[4096];
    while (n > 0) {
        const size_t got = fread(bytes, 1, n < sizeof bytes ? (size_t)n : sizeof bytes, r->file);
        if (got == 0) return false;
        r->sum = (uint32_t)crc32_z(r->sum, (const unsigned char *)bytes, got);
        if (out) text_add(out, bytes, got);
        n -= got;
    }
    return true;
}

/* Read on to the end of a result. false: it is not whole, or damaged. */
static bool read_body(result_reader *r, shard_end *end)
{
    uint64_t bytes, n = 0;
    shard_match match;
    if (!result_line(r) || !shard_header_parse(&bytes, r->line) || !result_bytes(r, bytes, NULL))
        return false;
    while (result_line(r) && shard_match_parse(&match, r->line) &&
           result_bytes(r, match.bytes, NULL))
        n++;
    if (!shard_end_parse(end, r->line)) return false;
    return end->matches == n && end->checksum == r->sum_before;
}

/* The reader's line begins a result: add it. false: out of memory, which is reported. */
static bool add(results *all, result_reader *r, const char *file, const shard_head *head)
{
    if ((all->n & (all->n - 1)) == 0) { /* a power of two: the list is full */
        result *items = realloc(all->items, (all->n ? 2 * all->n : 1) * sizeof *items);
        if (!items) return report_no_memory(NULL);
        all->items = items;
    }
    result *item = &all->items[all->n];
    *item = (result){.head = *head, .file = file, .body = ftello(r->file)};
    item->head.path = strdup(head->path);
    if (!item->head.path) return report_no_memory(NULL);
    all->n++;
    item->is_whole = read_body(r, &item->end);
    return true;
}

/* Why a line that begins no result is refused. After a result that is not whole it is passed over.
 */
static const char *why_not(const results *all, size_t before)
{
    if (all->n == before) return "is no result of sigrep --shard";
    return all->items[all->n - 1].is_whole ? "has other lines after the result of a shard" : NULL;
}

/* The last head in a line, since the rest of a result that was cut off may stand before it. NULL:
 * there is none. */
static const char *find_head(shard_head *head, const char *line)
{
    const char *found = NULL;
    shard_head one;
    while ((line = strstr(line, SHARD_BEGINS))) {
        if (shard_head_parse(&one, line)) {
            *head = one;
            found = line;
        }
        line++;
    }
    return found;
}

/* All results of an open file. false after a failure, which is reported. */
static bool read_all(results *all, result_reader *r, const char *file)
{
    const size_t before = all->n;
    shard_head head;
    while (result_line(r)) {
        const char *begin = find_head(&head, r->line);
        const char *wrong = begin ? NULL : why_not(all, before);
        if (wrong) {
            report_of(results_name(file), "%s", wrong);
            return false;
        }
        if (!begin) continue;
        r->sum = (uint32_t)crc32_z(0, (const unsigned char *)begin, strlen(begin));
        r->sum = (uint32_t)crc32_z(r->sum, (const unsigned char *)"\n", 1);
        if (!add(all, r, file, &head)) return false;
        const result *last = &all->items[all->n - 1];
        /* What was read as the rest of a result that was cut off may be the next. */
        if (!last->is_whole && fseeko(r->file, last->body, SEEK_SET) != 0) break;
    }
    if (!ferror(r->file)) return true;
    report_of(results_name(file), "%s", strerror(errno));
    return false;
}

/* Standard input cannot be read twice: a copy of it. */
static FILE *copy_of_standard_input(void)
{
    char bytes[1 << 16];
    size_t n;
    FILE *copy = tmpfile();
    while (copy && (n = fread(bytes, 1, sizeof bytes, stdin)) > 0)
        if (fwrite(bytes, 1, n, copy) != n) break;
    if (copy && !ferror(stdin) && !ferror(copy) && fflush(copy) == 0) return copy;
    if (copy) fclose(copy);
    return NULL;
}

/* By number; of one number, whole ones first. */
static int by_number(const void *pa, const void *pb)
{
    const result *a = pa, *b = pb;
    if (a->head.name.number != b->head.name.number)
        return a->head.name.number < b->head.name.number ? -1 : 1;
    return b->is_whole - a->is_whole;
}

FILE *results_open(results *all, const char *file)
{
    const bool is_standard = strcmp(file, "-") == 0;
    if (is_standard && !all->standard_input) all->standard_input = copy_of_standard_input();
    FILE *open = is_standard ? all->standard_input : fopen(file, "re");
    const bool is_pipe = open && fseeko(open, 0, SEEK_SET) != 0;
    if (!open) report_of(results_name(file), "%s", strerror(errno));
    if (!is_pipe) return open;
    report_of(results_name(file),
              "is a pipe, but results are read twice; give it as standard input");
    fclose(open);
    return NULL;
}

void results_close(results *all, FILE *file)
{
    if (file != all->standard_input) fclose(file);
}

bool results_read(results *all, char **files, size_t n)
{
    bool good = true;
    *all = (results){0};
    for (size_t i = 0; i < n && good; i++) {
        result_reader r = {.file = results_open(all, files[i])};
        good = r.file && read_all(all, &r, files[i]);
        if (r.file) results_close(all, r.file);
        free(r.line);
    }
    if (!good || all->n == 0) return good;
    qsort(all->items, all->n, sizeof *all->items, by_number);
    all->order = malloc(all->n * sizeof(const result *));
    return all->order || report_no_memory(NULL);
}

void results_free(results *all)
{
    for (size_t i = 0; i < all->n; i++) free((char *)all->items[i].head.path);
    free(all->items);
    free(all->order);
    if (all->standard_input) fclose(all->standard_input);
    *all = (results){0};
}
