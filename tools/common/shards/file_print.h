/*
 * file_print.h - has a file changed? Its size, the time of its last change, and a checksum of its
 * content: of all of it up to 1 MiB, else of 16 blocks of 64 KiB, the first and the last among
 * them.
 *
 *     |#|....|#|....|#|....  ....|#|....|#|       SIZE-SECONDS-CRC32
 *
 * So it costs some milliseconds for a file of any size. It misses a change between the blocks that
 * keeps the size, and the time to a second.
 */
#ifndef TOOLS_COMMON_SHARDS_FILE_PRINT_H
#define TOOLS_COMMON_SHARDS_FILE_PRINT_H

#include <stdint.h>

#include "tools/common/shards/shard.h"

/* Of a regular file. 0, or an errno. */
int file_print(char print[SHARD_FILE], const char *path);

/* *sum goes on over all of a file's content (crc32). 0, or an errno. */
int file_sum(uint32_t *sum, const char *path);

#endif
