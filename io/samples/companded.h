/* companded.h - mu-law and A-law, the 8-bit samples of telephones (ITU-T G.711). */
#ifndef IO_SAMPLES_COMPANDED_H
#define IO_SAMPLES_COMPANDED_H

/* The sample in [-1, 1) of a byte: the 16-bit value of G.711 / 32768, as libsndfile has it. */
float companded_ulaw(unsigned char byte);
float companded_alaw(unsigned char byte);

#endif
