/*
 * raw - the samples themselves. It may stand anywhere in a chain, where it is left out: what
 * has no create changes nothing and costs nothing.
 */
#include "filter/features/stages.h"

const feature_ops feature_raw = {.name = "raw"};
