#include "io/samples/npy_header.h"

#include <stdio.h>
#include <string.h>

#include "tests/check.h"

/* What became of a header, as words. */
static const char *parse(const char *text)
{
    static char words[256];
    static const char *const kinds[] = {"f", "i", "u"};
    char reason[200];
    npy_header h;
    if (!npy_header_parse(&h, text, strlen(text), reason, sizeof reason))
        snprintf(words, sizeof words, "! %s", reason);
    else
        snprintf(words, sizeof words, "%s%zu %s %s %llu x %llu%s", kinds[h.type.kind], h.type.width,
                 h.big_endian ? "big" : "little", h.is_fortran ? "F" : "C",
                 (unsigned long long)h.frames, (unsigned long long)h.channels,
                 h.type.is_scaled ? " scaled" : "");
    return words;
}

#define PARSES(text, words) CHECK_MSG(strcmp(parse(text), words) == 0, "%s", parse(text))

#define HEADER(type, order, shape)                                                                 \
    "{'descr': " type ", 'fortran_order': " order ", 'shape': " shape ", }   \n"

static void headers_of_numpy(void)
{
    PARSES(HEADER("'<f4'", "False", "(1000,)"), "f4 little C 1000 x 1");
    PARSES(HEADER("'>f8'", "True", "(7, 3)"), "f8 big F 7 x 3");
    PARSES(HEADER("'<f2'", "False", "(0,)"), "f2 little C 0 x 1");
    PARSES(HEADER("'|i1'", "False", "(5, 0)"), "i1 little C 5 x 0");
    PARSES(HEADER("'<i2'", "False", "(5, 1)"), "i2 little C 5 x 1");
    PARSES(HEADER("'>i4'", "False", "(5, 1)"), "i4 big C 5 x 1");
    PARSES(HEADER("'<i8'", "False", "(5, 1)"), "i8 little C 5 x 1");
    PARSES(HEADER("'|u1'", "False", "(5, 1)"), "u1 little C 5 x 1");
    PARSES(HEADER("'>u8'", "False", "(5, 1)"), "u8 big C 5 x 1");
    PARSES(HEADER("'|b1'", "False", "(5, 1)"), "u1 little C 5 x 1");
}

static void other_spellings(void)
{
    PARSES("{\"shape\":(12L,3L),\"fortran_order\":True,\"descr\":\"<f4\"}", "f4 little F 12 x 3");
    PARSES(" {'descr':'<u2' ,'shape' : ( 4 , ),'fortran_order' :False}", "u2 little C 4 x 1");
}

static void arrays_without_real_numbers_are_refused(void)
{
    PARSES(HEADER("'<c8'", "False", "(5,)"),
           "! holds complex numbers (<c8): save real numbers, such as ARRAY.astype('float32')");
    PARSES(HEADER("'|O'", "False", "(5,)"),
           "! holds Python objects (|O): save real numbers, such as ARRAY.astype('float32')");
    PARSES(HEADER("'<M8[ns]'", "False", "(5,)"),
           "! holds dates or times (<M8[ns]): save real numbers, such as ARRAY.astype('float32')");
    PARSES(HEADER("'<U12'", "False", "(5,)"),
           "! holds strings (<U12): save real numbers, such as ARRAY.astype('float32')");
    PARSES(HEADER("'<f16'", "False", "(5,)"),
           "! holds values that are not numbers of 1 to 8 bytes (<f16): save real numbers, such as "
           "ARRAY.astype('float32')");
    PARSES(HEADER("'<f1'", "False", "(5,)"),
           "! holds values that are not numbers of 1 to 8 bytes (<f1): save real numbers, such as "
           "ARRAY.astype('float32')");
    PARSES(HEADER("'|f4'", "False", "(5,)"),
           "! holds values that are not numbers of 1 to 8 bytes (|f4): save real numbers, such as "
           "ARRAY.astype('float32')");
    PARSES(HEADER("''", "False", "(5,)"),
           "! holds values that are not numbers of 1 to 8 bytes (): save real numbers, such as "
           "ARRAY.astype('float32')");
    PARSES(
        HEADER("[('t', '<f8'), ('x', '<f4')]", "False", "(5,)"),
        "! holds records of several fields: save their numbers as an array of frames x channels");
}

static void other_shapes_are_refused(void)
{
    PARSES(HEADER("'<f4'", "False", "()"),
           "! has 0 dimensions; reshape it to one, or to frames x channels");
    PARSES(HEADER("'<f4'", "False", "(2, 3, 4)"),
           "! has 3 dimensions; reshape it to one, or to frames x channels");
    PARSES(HEADER("'<f4'", "False", "(288230376151711744, 8)"),
           "! bad NPY header: 288230376151711744 x 8 samples");
    PARSES(HEADER("'<f8'", "False", "(288230376151711743, 4)"),
           "f8 little C 288230376151711743 x 4");
}

static void damage_is_found(void)
{
    PARSES("", "! bad NPY header: byte 1 is not understood");
    PARSES("{", "! bad NPY header: byte 2 is not understood");
    PARSES("{}", "! bad NPY header: type, order or shape is missing");
    PARSES("{'descr': '<f4'}", "! bad NPY header: type, order or shape is missing");
    PARSES("{'descr' '<f4'}", "! bad NPY header: byte 10 is not understood");
    PARSES("{'descr': '<f4", "! bad NPY header: byte 11 is not understood");
    PARSES("{'descr': '<f\n4'}", "! bad NPY header: byte 11 is not understood");
    PARSES("{'descr': '<f4_________________________'}",
           "! bad NPY header: byte 11 is not understood");
    PARSES("{'descr': '<f4' 'shape'}", "! bad NPY header: byte 17 is not understood");
    PARSES("{'other': 1}", "! bad NPY header: an unknown entry 'other'");
    PARSES(HEADER("'<f4'", "0", "(5,)"), "! bad NPY header: byte 35 is not understood");
    PARSES(HEADER("'<f4'", "True", "5"), "! bad NPY header: byte 50 is not understood");
    PARSES(HEADER("'<f4'", "True", "(-5,)"), "! bad NPY header: byte 51 is not understood");
    PARSES(HEADER("'<f4'", "True", "(5 6)"), "! bad NPY header: byte 53 is not understood");
    PARSES(HEADER("'<f4'", "True", "(99999999999999999999,)"),
           "! bad NPY header: a dimension is too large");
}

int main(void)
{
    RUN(headers_of_numpy);
    RUN(other_spellings);
    RUN(arrays_without_real_numbers_are_refused);
    RUN(other_shapes_are_refused);
    RUN(damage_is_found);
    return check_done();
}
