/* one_template.h - the threshold of a template, by the gap in the scores of recordings. */
#ifndef TOOLS_SIGREP_CALIBRATE_ONE_TEMPLATE_H
#define TOOLS_SIGREP_CALIBRATE_ONE_TEMPLATE_H

#include <stdbool.h>

#include "tools/common/options/shared_options.h"

/* Print the histogram of scores, the gap and the threshold; if is_quiet the threshold alone.
 * Returns the exit status: 1 if there is no clear gap. */
int one_template(const shared_options *o, bool is_quiet);

#endif
