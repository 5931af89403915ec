/*
 * save_file.h - the files of --save: their folder and their names.
 *
 *     DIR/INPUT_LABEL_START.wav     DIR/INPUT_LABEL_START-2.wav     ...
 *
 * Inputs and labels may have any names. Of them a file's name keeps letters, digits, "._+=@,%-" and
 * whatever is beyond ASCII and printable (io/escape.h). All else becomes one '_'. No name has a
 * slash, or begins with a point or a dash, or is longer than a file system allows. An existing file
 * is never touched.
 */
#ifndef TOOLS_SIGREP_OUTPUT_SAVE_FILE_H
#define TOOLS_SIGREP_OUTPUT_SAVE_FILE_H

#include <stdbool.h>

#include "io/text_buffer.h"

enum { SAVE_FILE_NAME = 256 }; /* bytes, NUL included */

/* Make the folder, unless it is there. false after a failure, which is reported. */
bool save_file_make_folder(const char *folder);

/* INPUT_LABEL_START. Of the input's path the base name counts, without its extension. */
void save_file_name(char name[SAVE_FILE_NAME], const char *input, const char *label,
                    const char *start);

/* Create a new file FOLDER/NAME and `extension`, with the next free number if need be. *path, which
 * the caller frees, becomes its path and a NUL. Returns a descriptor, or -1 with errno; *path is
 * then what could not be created. */
int save_file_create(const char *folder, const char *name, const char *extension,
                     text_buffer *path);

#endif
