/* details.h - every sample, column and frame around the best matches (reduce.h). */
#ifndef TOOLS_SIGREP_PLOT_DETAILS_H
#define TOOLS_SIGREP_PLOT_DETAILS_H

#include <stdbool.h>
#include <stddef.h>

typedef struct reduction reduction; /* reduce.h */

/* Add what fits into `most` bytes, in `order` of the matches, and their paths. false after a
 * failure, which is reported. */
bool details_add(reduction *d, const size_t *order, double most);

#endif
