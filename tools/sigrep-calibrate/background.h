/* background.h - searches of the background, for a calibration. */
#ifndef TOOLS_SIGREP_CALIBRATE_BACKGROUND_H
#define TOOLS_SIGREP_CALIBRATE_BACKGROUND_H

#include "sigrep.h"
#include "tools/common/options/shared_options.h"

/* Search the inputs of the options for all takes of the bundle, which is of the file `path`.
 * *hours: their length without gaps. SIGINT and SIGTERM end it early, with a warning unless the
 * input is a microphone. false after a failure, which is reported. */
bool background_search(sigrep_calibration *calibration, const sigrep_bundle *b, const char *path,
                       const shared_options *o, double *hours);

#endif
