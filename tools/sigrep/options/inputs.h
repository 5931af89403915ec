/*
 * inputs.h - the inputs of a run: operands, and the files below directories.
 *
 *     INPUT ---------------------------------> input_list
 *     directory --> fts(3), globs, templates ---^
 *
 * Files below a directory come in strcmp order of the names in each directory. Symbolic links there
 * are not followed. Templates that are whole files are left out, and so are the folders of
 * --output-dir and --save, and the file that is standard output. To name that one is an error.
 */
#ifndef TOOLS_SIGREP_OPTIONS_INPUTS_H
#define TOOLS_SIGREP_OPTIONS_INPUTS_H

#include <stdbool.h>
#include <stddef.h>

typedef struct line_supply line_supply;   /* io/source.h */
typedef struct options options;           /* tools/sigrep/options/options.h */
typedef struct template_set template_set; /* tools/common/templates/template_set.h */

typedef struct listed_input {
    char *path; /* owned; "-" and "mic:NAME" as in shared_options */
    size_t
        below;   /* where in `path` the part below the named directory begins, or the file's name */
    char *group; /* owned; search its rows alone; NULL: all rows */
    char *shown; /* owned; the name of both in messages; NULL without a group */
    const line_supply *lines; /* its rows; NULL without a group; borrowed */
    bool is_found;            /* below a directory */
    bool is_directory;        /* an error, without --recursive */
} listed_input;

typedef struct {
    listed_input *items;
    size_t n, n_found;
    bool has_directories; /* among the operands */
    bool failed;          /* some could not be listed, which was reported */
} input_list;

/* List the inputs of the options. false: out of memory, which is reported. The caller frees the
 * list, whatever is returned. */
bool inputs_list(input_list *list, const options *o, const template_set *set);
void inputs_free(input_list *list);

/* Free what an item of a list owns. */
void listed_input_free(listed_input *item);

/* Add an input like this one, with a copy of the path and no group. NULL: out of memory. */
listed_input *input_list_add(input_list *list, const char *path, listed_input like);

#endif
