/* crc32.h - the checksum of a bundle: CRC-32 of ISO 3309 and ITU-T V.42, as in PNG and zip. */
#ifndef FILTER_BUNDLE_CRC32_H
#define FILTER_BUNDLE_CRC32_H

#include <stddef.h>
#include <stdint.h>

/* The checksum of n bytes. */
uint32_t crc32_of(const unsigned char *bytes, size_t n);

#endif
