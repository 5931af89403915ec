#include "tools/sigrep/options/inputs.h"

#include <errno.h>
#include <fnmatch.h>
#include <fts.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "io/live/mic.h"
#include "tools/common/input/open_input.h"
#include "tools/common/messages/messages.h"
#include "tools/common/templates/template_set.h"
#include "tools/sigrep/options/options.h"

/* What is left out below directories. */
typedef struct {
    const options *o;
    struct stat *templates;
    size_t n_templates;
    struct stat folders[2]; /* of --output-dir and --save */
    size_t n_folders;
    struct stat output; /* standard output, if lines go into a file there */
    size_t n_outputs;   /* 0 or 1 */
} tree_rules;

static bool is_among(const struct stat *files, size_t n, const struct stat *st)
{
    for (size_t i = 0; i < n; i++)
        if (files[i].st_dev == st->st_dev && files[i].st_ino == st->st_ino) return true;
    return false;
}

/* false: out of memory. */
static bool note_left_out(tree_rules *rules, const template_set *set)
{
    const char *const folders[] = {rules->o->output_dir, rules->o->save_folder};
    struct stat st;
    rules->templates = malloc((set->n + 1) * sizeof *rules->templates);
    if (!rules->templates) return false;
    for (size_t i = 0; i < set->n; i++) {
        const loaded_template *t = &set->items[i];
        const bool is_whole = t->end == 0;
        if (is_whole && stat(t->path, &st) == 0) rules->templates[rules->n_templates++] = st;
    }
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++)
        if (folders[i] && stat(folders[i], &st) == 0) rules->folders[rules->n_folders++] = st;
    return true;
}

static void note_output(tree_rules *rules)
{
    const options *o = rules->o;
    const bool is_elsewhere = o->quiet || o->output_dir || o->log_path;
    if (is_elsewhere || fstat(STDOUT_FILENO, &rules->output) != 0) return;
    rules->n_outputs = S_ISREG(rules->output.st_mode);
}

/* As rsync: the whole names at the end of the path, as many as the glob has. */
static bool matches(const char *glob, const char *path)
{
    const char *slash;
    for (; fnmatch(glob, path, FNM_PATHNAME) != 0; path = slash + 1)
        if (!(slash = strchr(path, '/'))) return false;
    return true;
}

/* As grep: the last glob that matches counts. Without one, the file is wanted unless the first glob
 * is of --include. */
static bool is_wanted(const options *o, const char *path)
{
    bool wanted = o->n_globs == 0 || o->globs[0].excludes;
    for (size_t i = 0; i < o->n_globs; i++)
        if (matches(o->globs[i].glob, path)) wanted = !o->globs[i].excludes;
    return wanted;
}

listed_input *input_list_add(input_list *list, const char *path, listed_input like)
{
    if ((list->n & (list->n - 1)) == 0) { /* a power of two: the list is full */
        const size_t room = list->n ? 2 * list->n : 1;
        listed_input *items = realloc(list->items, room * sizeof *items);
        if (!items) return NULL;
        list->items = items;
    }
    listed_input *item = &list->items[list->n];
    *item = like;
    item->group = item->shown = NULL;
    item->path = strdup(path);
    if (!item->path) return NULL;
    list->n++;
    list->n_found += like.is_found;
    return item;
}

/* false: out of memory. */
static bool add(input_list *list, const char *path, size_t below, bool is_found)
{
    return input_list_add(list, path, (listed_input){.below = below, .is_found = is_found});
}

static void fail(input_list *list, const options *o, const char *path, const char *reason)
{
    if (!o->no_messages) report_of(path, "%s", reason);
    list->failed = true;
}

/* false: out of memory. */
static bool add_file(input_list *list, const tree_rules *rules, const FTSENT *entry,
                     const char *root)
{
    const char *path = entry->fts_path;
    const bool is_used = is_among(rules->templates, rules->n_templates, entry->fts_statp);
    const bool is_output = is_among(&rules->output, rules->n_outputs, entry->fts_statp);
    if (!is_wanted(rules->o, path)) return true;
    if ((is_used || is_output) && rules->o->shared.verbose)
        report_of(path, "passed over: it is %s", is_used ? "a template" : "also the output");
    if (is_used || is_output) return true;
    size_t below = strlen(root);
    while (path[below] == '/') below++;
    if (!rules->o->searches_here) return add(list, path, below, true);
    return add(list, path + below, 0, true);
}

/* false: out of memory. */
static bool visit(input_list *list, const tree_rules *rules, FTS *tree, FTSENT *entry,
                  const char *root)
{
    switch (entry->fts_info) {
    case FTS_F: return add_file(list, rules, entry, root);
    case FTS_D:
        if (entry->fts_level > FTS_ROOTLEVEL &&
            is_among(rules->folders, rules->n_folders, entry->fts_statp))
            fts_set(tree, entry, FTS_SKIP);
        return true;
    case FTS_DNR:
    case FTS_ERR:
    case FTS_NS: fail(list, rules->o, entry->fts_path, strerror(entry->fts_errno)); return true;
    default: return true;
    }
}

static int by_name(const FTSENT **a, const FTSENT **b)
{
    return strcmp((*a)->fts_name, (*b)->fts_name);
}

/* false: out of memory. */
static bool add_tree(input_list *list, const tree_rules *rules, const char *root)
{
    char *path = strdup(root), *roots[] = {path, NULL};
    FTS *tree = path ? fts_open(roots, FTS_COMFOLLOW | FTS_PHYSICAL | FTS_NOCHDIR, by_name) : NULL;
    bool good = tree != NULL;
    FTSENT *entry;
    while (good && (errno = 0, entry = fts_read(tree)))
        good = visit(list, rules, tree, entry, root);
    if (good && errno) fail(list, rules->o, root, strerror(errno));
    if (tree) fts_close(tree);
    free(path);
    return good;
}

/* false: out of memory. */
static bool add_operand(input_list *list, const tree_rules *rules, const char *path)
{
    struct stat st;
    const char *slash = strrchr(path, '/');
    const size_t below = slash ? (size_t)(slash + 1 - path) : 0;
    const bool is_path = strcmp(path, "-") != 0 && !mic_is_named(path);
    if (rules->n_outputs && !mic_is_named(path) && input_is_same_file(path, &rules->output)) {
        /* grep's words; but grep lets -c, -l and -m 1 pass. */
        fail(list, rules->o, input_name(path), "input file is also the output");
        return true;
    }
    if (!is_path || stat(path, &st) != 0) return add(list, path, is_path ? below : 0, false);
    if (!S_ISDIR(st.st_mode))
        return is_wanted(rules->o, path) ? add(list, path, below, false) : true;
    if (!rules->o->recursive) {
        const bool good = add(list, path, below, false);
        if (good) list->items[list->n - 1].is_directory = true;
        return good;
    }
    list->has_directories = true;
    return add_tree(list, rules, path);
}

bool inputs_list(input_list *list, const options *o, const template_set *set)
{
    tree_rules rules = {.o = o};
    bool good = note_left_out(&rules, set);
    *list = (input_list){0};
    note_output(&rules);
    for (size_t i = 0; i < o->shared.n_inputs && good; i++)
        good = add_operand(list, &rules, o->shared.inputs[i]);
    free(rules.templates);
    return good || report_no_memory(NULL);
}

void listed_input_free(listed_input *item)
{
    free(item->path);
    free(item->group);
    free(item->shown);
}

void inputs_free(input_list *list)
{
    for (size_t i = 0; i < list->n; i++) listed_input_free(&list->items[i]);
    free(list->items);
    *list = (input_list){0};
}
