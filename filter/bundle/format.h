/* format.h - the constants of docs/FORMAT.md, for read.c and write.c. */
#ifndef FILTER_BUNDLE_FORMAT_H
#define FILTER_BUNDLE_FORMAT_H

#include "filter/bundle/bundle.h"

/* As in PNG, a transfer as text breaks it, since that changes line ends or bit 7. */
#define BUNDLE_MAGIC "\x89SGR\r\n\x1a\n"

enum {
    BUNDLE_MAJOR = 1,
    BUNDLE_MINOR = 2,
    BUNDLE_MAGIC_SIZE = 8,
    BUNDLE_HEADER_SIZE = 20, /* magic, major, minor, size of the file */
    BUNDLE_SECTION_SIZE = 8, /* name, length */
    BUNDLE_CHECKSUM_SIZE = 4,
    BUNDLE_FLAG_AUDIO = 1,        /* of FRNT */
    BUNDLE_FLAG_THRESHOLD = 1,    /* of LABL */
    BUNDLE_FLAG_EXTRAPOLATED = 1, /* of CALB */
};

#endif
