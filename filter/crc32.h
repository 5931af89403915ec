/* crc32.h - a checksum. */
#ifndef FILTER_CRC32_H
#define FILTER_CRC32_H

#include <stddef.h>
#include <stdint.h>

/* The checksum of n bytes: CRC-32 of ISO 3309 and ITU-T V.42, as in PNG and zip. */
uint32_t crc32_of(const unsigned char *bytes, size_t n);

#endif
