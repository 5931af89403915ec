/*
 * shard.h - the name of a shard, and the result that it prints.
 *
 *     sigrep-shards --size --> sigrep --shard NAME --range ... --> result --> sigrep-shards --merge
 *
 * A name is NUMBER/COUNT:VERSION:OPTIONS:FILE. NUMBER is the line of a plan of COUNT lines. OPTIONS
 * is a checksum of options and templates. FILE is what file_print.h says of the input. A result is
 * lines of text; those that matches print have a length before them:
 *
 *     sigrep-shard 1 NAME BEGIN-END HOLD PATH      samples; END may be `end`, that of the input
 *     header BYTES, and so many bytes              of the output format, perhaps 0
 *     FINAL LABEL START END BYTES, and so many     a match: samples, the label's number, its line
 *     ...
 *     end JOIN MATCHES CHECKSUM                    JOIN as END; crc32 of all before this line
 *
 * The shard before it knows the truth up to its JOIN. From there on this shard does, up to its own.
 */
#ifndef TOOLS_COMMON_SHARDS_SHARD_H
#define TOOLS_COMMON_SHARDS_SHARD_H

#include <stdbool.h>
#include <stdint.h>

#include "io/text_buffer.h"

enum { SHARD_VERSION = 32, SHARD_FILE = 64 /* bytes, NUL included */ };

#define SHARD_BEGINS "sigrep-shard "

typedef struct {
    uint64_t number, count; /* number from 1 to count */
    char version[SHARD_VERSION];
    uint32_t options;
    char file[SHARD_FILE];
} shard_name;

/* Read all of `text`. false: it is no name. */
bool shard_name_parse(shard_name *name, const char *text);
void shard_name_add(text_buffer *out, const shard_name *name);

/* The first line of a result. */
typedef struct {
    shard_name name;
    uint64_t begin, end; /* samples; end UINT64_MAX: of the input */
    double hold;         /* samples for which a match holds back those of its label; 0: none */
    const char *path;    /* escaped; of the line that was parsed */
} shard_head;

/* A match, which `bytes` of the output format follow. */
typedef struct {
    uint64_t final, label, start, end, bytes;
} shard_match;

/* The last line. */
typedef struct {
    uint64_t join; /* samples; UINT64_MAX: it went on to the end of the input */
    uint64_t matches;
    uint32_t checksum;
} shard_end;

/* Add a line, its newline included. */
void shard_head_add(text_buffer *out, const shard_head *head);
void shard_header_add(text_buffer *out, const char *bytes, size_t n);
void shard_match_add(text_buffer *out, const shard_match *match, const char *line);
void shard_end_add(text_buffer *out, const shard_end *end);

/* Read a line without its newline. false: it is none of this kind. */
bool shard_head_parse(shard_head *head, const char *line);
bool shard_header_parse(uint64_t *bytes, const char *line);
bool shard_match_parse(shard_match *match, const char *line);
bool shard_end_parse(shard_end *end, const char *line);

#endif
