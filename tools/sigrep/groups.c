#include "tools/sigrep/groups.h"

#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "io/live/mic.h"
#include "io/source.h"
#include "tools/common/input/open_input.h"
#include "tools/common/messages/messages.h"
#include "tools/sigrep/options/options.h"

/* The groups of a file, as they first come. */
typedef struct {
    char *names[GROUPS_MOST];
    size_t n;
    void *tree; /* of them, by tsearch(3) */
} group_names;

static int by_name(const void *a, const void *b)
{
    return strcmp(a, b);
}

/* Take the name if it is new. NULL, or why it cannot be taken. */
static const char *take(group_names *g, const char *text, size_t length)
{
    char *name = strndup(text, length);
    char *const *in_tree = name ? tsearch(name, &g->tree, by_name) : NULL;
    const bool is_new = in_tree && *in_tree == name;
    if (!is_new) free(name);
    if (!in_tree) return "out of memory";
    if (!is_new) return NULL;
    if (g->n == GROUPS_MOST) {
        tdelete(name, &g->tree, by_name);
        free(name);
        return "more than 4096 groups: is --group-by the right column?";
    }
    g->names[g->n++] = name;
    return NULL;
}

/* List the groups of an open input. false after a failure, which is reported. */
static bool read_groups(group_names *g, source *src, const char *file)
{
    size_t length;
    const char *reason = NULL, *group;
    while (!reason && (group = source_next_group(src, &length))) reason = take(g, group, length);
    input_warn(file, src);
    if (!reason && *source_error(src)) reason = source_error(src);
    if (reason) report_of(file, "%s", reason);
    return !reason;
}

/* Add the input, once for each group. false: out of memory. */
static bool add_groups(input_list *to, const listed_input *input, group_names *g)
{
    for (size_t i = 0; i < g->n; i++) {
        listed_input *item = input_list_add(to, input->path, *input);
        const size_t size = strlen(input->path) + strlen(g->names[i]) + 3;
        if (!item || !(item->shown = malloc(size))) return report_no_memory(input->path);
        snprintf(item->shown, size, "%s: %s", input->path, g->names[i]);
        item->group = g->names[i];
        g->names[i] = NULL;
    }
    return true;
}

static void free_names(group_names *g)
{
    while (g->tree) tdelete(*(char **)g->tree, &g->tree, by_name);
    for (size_t i = 0; i < g->n; i++) free(g->names[i]);
}

/* Add the groups of an input to the list. false after a failure, which is reported. */
static bool list_groups(input_list *to, const listed_input *input, const options *o)
{
    group_names g = {.n = 0};
    struct stat st;
    char reason[512];
    source_options how = o->shared.source;
    source_failure failure;
    const bool is_stream = strcmp(input->path, "-") == 0 || mic_is_named(input->path) ||
                           (stat(input->path, &st) == 0 && !S_ISREG(st.st_mode));
    if (is_stream && !input->is_directory) {
        report_of(input_name(input->path),
                  "--group-by reads a file once for each group: name a file");
        return false;
    }
    how.is_found = input->is_found;
    how.lists_groups = true;
    how.failure = &failure;
    source *src =
        input->is_directory ? NULL : source_open(input->path, &how, reason, sizeof reason);
    if (!src || !source_get_info(src).has_columns) {
        source_close(src);
        return input_list_add(to, input->path, *input) || report_no_memory(NULL);
    }
    const bool good = read_groups(&g, src, input->path) && add_groups(to, input, &g);
    source_close(src);
    free_names(&g);
    return good;
}

void groups_list(input_list *list, const options *o)
{
    input_list grouped = {.has_directories = list->has_directories, .failed = list->failed};
    for (size_t i = 0; i < list->n; i++)
        grouped.failed |= !list_groups(&grouped, &list->items[i], o);
    inputs_free(list);
    *list = grouped;
}
