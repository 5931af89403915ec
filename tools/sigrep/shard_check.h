/*
 * shard_check.h - may this shard run? Its name (shard.h) holds what its plan was made of.
 *
 *     sigrep --shard NAME --range START-END WORD... -- FILE      as sigrep-shards prints it
 *                                           checksum, with the content of all templates
 */
#ifndef TOOLS_SIGREP_SHARD_CHECK_H
#define TOOLS_SIGREP_SHARD_CHECK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct options options;           /* tools/sigrep/options/options.h */
typedef struct template_set template_set; /* tools/common/templates/template_set.h */

/* The checksum of words of a command line, and of the templates' files. false: one of these cannot
 * be read, which is reported. */
bool shard_sum(uint32_t *sum, const char *const *words, size_t n, const template_set *set);

/* Are version, options, templates and the file at `path` those of o->shard? If not, reports why. */
bool shard_check(const options *o, const template_set *set, const char *path);

#endif
