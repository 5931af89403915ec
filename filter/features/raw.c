/* raw - the samples themselves. Without a create it is the identity, which chains leave out. */
#include "filter/features/stages.h"

const stage_ops stage_raw = {.name = "raw"};
