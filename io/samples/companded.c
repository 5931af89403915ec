#include "io/samples/companded.h"

/*
 * A byte is a sign, an exponent and a fraction, with bits inverted: all of mu-law, every other one
 * of A-law.
 *
 *     seeefff f        value = (fraction + offset) << exponent
 */
enum { SIGN = 0x80, FRACTION = 15, BIAS = 33 };

float companded_ulaw(unsigned char byte)
{
    const int code = ~byte & 0xff, exponent = code >> 4 & 7;
    const int size = ((2 * (code & FRACTION) + BIAS) << exponent) - BIAS; /* 14 bits */
    return (float)(code & SIGN ? -size : size) / 8192.0f;
}

float companded_alaw(unsigned char byte)
{
    const int code = byte ^ 0x55, exponent = code >> 4 & 7;
    const int least = 2 * (code & FRACTION) + 1;
    const int size = exponent ? (least + 32) << (exponent - 1) : least; /* 13 bits */
    return (float)(code & SIGN ? size : -size) / 4096.0f;
}
