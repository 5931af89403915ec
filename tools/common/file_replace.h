/* file_replace.h - a whole new file in place of an old one: nobody ever reads half a file. */
#ifndef TOOLS_COMMON_FILE_REPLACE_H
#define TOOLS_COMMON_FILE_REPLACE_H

#include <stdbool.h>
#include <stddef.h>

/* May file_replace replace this file, before there is work to lose? If not, reports why. */
bool file_may_be_replaced(const char *path, const char *kind, bool may_be_read_only);

/* Write the bytes into a file beside `path`, then rename it. Owner and mode of an old file stay.
 * kind: of file, such as "bundle", in messages. false after a failure, which is reported: pipes and
 * devices are refused, and read-only files unless they may be. */
bool file_replace(const char *path, const char *kind, bool may_be_read_only, const void *bytes,
                  size_t size);

/* As file_replace, again and again: of a file that may be replaced, and without a word. Returns 0
 * or an errno. */
int file_replace_again(const char *path, const void *bytes, size_t size);

#endif
