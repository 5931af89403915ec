/*
 * output_files.h - --output-dir: a file of matches for each input.
 *
 *     rec/a.wav                 DIR/a.wav.txt
 *     rec, --recursive          DIR/sub/b.wav.txt    for rec/sub/b.wav
 *     standard input            DIR/stdin.txt
 *
 * With --new-only a file is NAME.part until its input is searched.
 *
 * A file that is not empty is never replaced, but such a part, and no symbolic link below DIR is
 * followed. So nothing outside DIR and no input is ever overwritten.
 */
#ifndef TOOLS_SIGREP_OUTPUT_OUTPUT_FILES_H
#define TOOLS_SIGREP_OUTPUT_OUTPUT_FILES_H

#include <stdbool.h>

#include "tools/sigrep/options/inputs.h"

/* Make DIR if there is none. With --new-only, take the inputs that have files there off the list.
 * Then check that the others have files of their own, and that each can be written; with
 * --group-by, where groups have the files, only that no two inputs have the same name. false: not
 * so, which is reported. */
bool output_files_check(const options *o, input_list *list);

/* With --new-only: has the group a file already? */
bool output_file_is_done(const options *o, const listed_input *input);

/* Have two groups of one input the same file? */
bool output_file_is_shared(const listed_input *a, const listed_input *b);

/* Open the file of this input, and make the folders that lead to it. Returns a descriptor, or -1
 * after a failure, which is reported. *path, for messages, is the caller's to free. */
int output_file_open(const options *o, const listed_input *input, char **path);

/* With --new-only: the file of a path, as output_file_open gave it, is whole and gets its name.
 * false: it cannot, which is reported. */
bool output_file_finish(const options *o, char *path);

#endif
