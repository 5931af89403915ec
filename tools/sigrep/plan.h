/*
 * plan.h - the plan of sigrep-shards: the inputs of a run, cut into shards. Each is a line of the
 * shell, which prints the result of that shard.
 *
 *     input 1  |---- 1 ----|---- 2 ----|-- 3 --|       COUNT is known once all inputs are measured
 *     input 2  |---- 4 ----|- 5 -|
 */
#ifndef TOOLS_SIGREP_PLAN_H
#define TOOLS_SIGREP_PLAN_H

#include "tools/common/shards/shard.h"

typedef struct options options;           /* tools/sigrep/options/options.h */
typedef struct source source;             /* io/source.h */
typedef struct template_set template_set; /* tools/common/templates/template_set.h */

typedef struct {
    const char *path; /* borrowed */
    char print[SHARD_FILE];
    double rate_hz;
    uint64_t samples, shards;
} planned_file;

typedef struct {
    planned_file *files;
    size_t n;
    uint64_t shards; /* of all files */
} plan;

/* Measure an open input, and add it. false: it cannot be cut, for this reason. */
bool plan_add(plan *p, const options *o, source *src, const char *path, const char **reason);

/* Print all lines. false after a failure, which is reported. */
bool plan_print(const plan *p, const options *o, const template_set *set, bool with_names);

void plan_free(plan *p);

#endif
