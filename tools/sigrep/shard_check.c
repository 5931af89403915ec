#include "tools/sigrep/shard_check.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <zlib.h>

#include "sigrep.h"
#include "tools/common/messages/messages.h"
#include "tools/common/shards/file_print.h"
#include "tools/common/templates/template_set.h"
#include "tools/sigrep/options/options.h"

enum { OWN_WORDS = 4 /* --shard NAME --range START-END */ };

/* A table of selections, which is read anew, may have changed. */
static void add_part(uint32_t *sum, const loaded_template *t)
{
    char part[64];
    const int n = snprintf(part, sizeof part, "%" PRIu64 "-%" PRIu64, t->begin, t->end);
    *sum = (uint32_t)crc32_z(*sum, (const unsigned char *)part, (size_t)n);
    *sum = (uint32_t)crc32_z(*sum, (const unsigned char *)t->label, strlen(t->label) + 1);
}

bool shard_sum(uint32_t *sum, const char *const *words, size_t n, const template_set *set)
{
    *sum = 0;
    for (size_t i = 0; i < n; i++)
        *sum = (uint32_t)crc32_z(*sum, (const unsigned char *)words[i], strlen(words[i]) + 1);
    for (size_t i = 0; i < set->n; i++) {
        const char *path = set->items[i].path;
        add_part(sum, &set->items[i]);
        if (i > 0 && strcmp(path, set->items[i - 1].path) == 0) continue; /* of one bundle */
        const int failure = file_sum(sum, path);
        if (!failure) continue;
        report_of(path, "%s",
                  failure == EINVAL ? "is no file, and shards need templates in files"
                                    : strerror(failure));
        return false;
    }
    return true;
}

static bool refuse(const char *path, const char *words)
{
    report_of(path, "this shard is of a plan %s; make a new plan by sigrep-shards --size", words);
    return false;
}

bool shard_check(const options *o, const template_set *set, const char *path)
{
    shard_name name;
    uint32_t sum;
    char print[SHARD_FILE], words[96];
    const bool is_whole = o->n_words > OWN_WORDS && strcmp(o->words[0], "--shard") == 0 &&
                          strcmp(o->words[2], "--range") == 0;
    if (!is_whole || !shard_name_parse(&name, o->shard)) {
        report("--shard '%.200s': not a line that sigrep-shards printed", o->shard);
        return false;
    }
    snprintf(words, sizeof words, "of another version, %s", name.version);
    if (strcmp(name.version, sigrep_version()) != 0) return refuse(path, words);
    if (!shard_sum(&sum, o->words + OWN_WORDS, o->n_words - OWN_WORDS, set)) return false;
    if (sum != name.options) return refuse(path, "with other options or templates");
    const int failure = file_print(print, path);
    if (failure) {
        report_of(path, "%s", failure == EINVAL ? "is no file" : strerror(failure));
        return false;
    }
    return strcmp(print, name.file) == 0 || refuse(path, "that was made before the file changed");
}
