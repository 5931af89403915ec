#include "tools/sigrep-text/text_start.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "io/detect.h"
#include "tools/sigrep-text/options.h"

enum {
    LINE_MOST = 4096, /* bytes of the first line that are judged */
    HEADER_MOST = 12  /* bytes that show a format of another kind: detect.h */
};

static bool begins_with(input *in, unsigned char byte)
{
    return input_need(in, 1) && input_bytes(in)[0] == byte;
}

/* The order mark of UTF-8. */
static void skip_mark(input *in)
{
    static const unsigned char mark[] = {0xef, 0xbb, 0xbf};
    if (begins_with(in, mark[0]) && input_need(in, sizeof mark) &&
        memcmp(input_bytes(in), mark, sizeof mark) == 0)
        input_consume(in, sizeof mark);
}

static void skip_blank(input *in)
{
    while (input_need(in, 1) && isspace(input_bytes(in)[0])) input_consume(in, 1);
}

static void skip_line(input *in)
{
    while (input_need(in, 1) && !begins_with(in, '\n') && !begins_with(in, '\r'))
        input_consume(in, 1);
}

static bool is_line_of_dna(input *in)
{
    for (size_t i = 0; i < LINE_MOST && input_need(in, i + 1); i++) {
        const unsigned char byte = input_bytes(in)[i];
        if (byte == '\n' || byte == '\r') break;
        if (!isspace(byte) && !patterns_is_code(byte) && !patterns_is_gap(byte)) return false;
    }
    return true;
}

static void refuse(input *in, bool fasta, char *reason, size_t size)
{
    (void)input_need(in, HEADER_MOST);
    const size_t have = input_have(in);
    const detect_kind kind = detect(input_bytes(in), have, true);
    if (kind == DETECT_FOREIGN)
        detect_advise(input_bytes(in), have, reason, size);
    else if (kind == DETECT_UTF16)
        snprintf(reason, size, "is UTF-16: convert it by iconv -f UTF-16 -t UTF-8 FILE");
    else
        snprintf(reason, size,
                 "begins with a line that is no header of FASTA (>) or FASTQ (@)%s: remove it",
                 fasta ? "" : ", and no DNA");
}

text_kind text_start(input *in, bool fasta, bool dna, char *reason, size_t size)
{
    if (!fasta && !dna) return TEXT_BYTES;
    skip_mark(in);
    skip_blank(in);
    while (begins_with(in, ';')) {
        skip_line(in);
        skip_blank(in);
    }
    if (input_have(in) == 0) return fasta ? TEXT_FASTA : TEXT_LINES;
    if (begins_with(in, '>')) return TEXT_FASTA;
    if (begins_with(in, '@')) return TEXT_FASTQ;
    if (!fasta && is_line_of_dna(in)) return TEXT_LINES;
    refuse(in, fasta, reason, size);
    return TEXT_REFUSED;
}

text_kind text_start_patterns(input *in, bool may_have_records)
{
    size_t blank = 0;
    skip_mark(in);
    while (input_need(in, blank + 1) && isspace(input_bytes(in)[blank])) blank++;
    const unsigned char first = input_have(in) > blank ? input_bytes(in)[blank] : 0;
    if (!may_have_records || (first != '>' && first != '@')) return TEXT_BYTES;
    input_consume(in, blank);
    return first == '>' ? TEXT_FASTA : TEXT_FASTQ;
}
