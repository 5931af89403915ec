/*
 * wfdb212 - one lead of a PhysioNet record in WFDB format 212, in millivolts.
 *
 *     wfdb212 [-l LEAD] [-f text|f32] RECORD.hea > RECORD.txt
 *
 * LEAD counts from 1 (the default). Text is one value a line. f32 is float32 in the machine's
 * byte order. A sample that the record marks as invalid becomes nan. Format 212 packs two
 * samples of 12 bits, two's complement, into three bytes. The leads of a frame follow in turn:
 *
 *     byte 0: a7 ... a0     byte 1: b11 ... b8 a11 ... a8     byte 2: b7 ... b0
 *
 * The header is described in header(5) of the WFDB applications guide:
 *
 *     RECORD LEADS RATE SAMPLES
 *     FILE 212 GAIN[(BASELINE)][/UNITS] BITS ZERO FIRST CHECKSUM BLOCK DESCRIPTION
 *
 * Exit status: 0, or 2 with the reason on standard error.
 */
#include <limits.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MAX_LEADS = 64, INVALID = -2048 };

typedef struct {
    int leads, lead; /* lead counts from 0 */
    long samples;    /* of each lead */
    char data[256];  /* the file beside the header */
    double gain, baseline;
    int checksum; /* the sum of the lead's samples, 16 bits */
    bool has_checksum;
} record;

static const char *about = "wfdb212";

static int fail(const char *reason)
{
    fprintf(stderr, "wfdb212: %s: %s\n", about, reason);
    return 2;
}

/* The next line that is neither blank nor a comment. */
static bool next_line(FILE *file, char *line, int size)
{
    while (fgets(line, size, file))
        if (line[strspn(line, " \t\r\n")] != '\0' && line[0] != '#') return true;
    return false;
}

/* Parse "GAIN[(BASELINE)][/UNITS]". True if there was a baseline. A gain of 0 means 200. */
static bool parse_gain(record *rec, const char *text)
{
    char *end;
    rec->gain = strtod(text, &end);
    if (!(fabs(rec->gain) > 0)) rec->gain = 200;
    return *end == '(' && sscanf(end, "(%lf)", &rec->baseline) == 1;
}

/* The line of lead `i`. NULL, or what is wrong with it. */
static const char *parse_lead(record *rec, const char *line, int i)
{
    char data[256], format[16], gain[64] = "0";
    double zero = 0;
    int checksum = 0;
    const int fields =
        sscanf(line, "%255s %15s %63s %*s %lf %*s %d", data, format, gain, &zero, &checksum);
    if (fields < 2) return "bad line of a lead";
    if (strcmp(format, "212") != 0) return "not in format 212";
    if (i > 0 && strcmp(data, rec->data) != 0) return "leads in several files";
    memcpy(rec->data, data, sizeof data);
    if (i != rec->lead) return NULL;
    if (!parse_gain(rec, gain)) rec->baseline = zero;
    rec->has_checksum = fields >= 5;
    rec->checksum = checksum & 0xffff;
    return NULL;
}

static const char *read_header(record *rec, FILE *file)
{
    char line[512];
    if (!next_line(file, line, sizeof line) ||
        sscanf(line, "%*s %d %*s %ld", &rec->leads, &rec->samples) != 2)
        return "no record line with leads and samples";
    if (rec->leads < 1 || rec->leads > MAX_LEADS || rec->samples < 1 ||
        rec->samples > LONG_MAX / MAX_LEADS)
        return "bad record line";
    if (rec->lead >= rec->leads) return "no such lead";
    for (int i = 0; i < rec->leads; i++) {
        if (!next_line(file, line, sizeof line)) return "a lead is missing";
        const char *wrong = parse_lead(rec, line, i);
        if (wrong) return wrong;
    }
    return NULL;
}

/* The next two samples, in order. */
static bool next_pair(FILE *file, int pair[2], bool second)
{
    unsigned char b[3] = {0};
    if (fread(b, 1, second ? 3 : 2, file) < (second ? 3u : 2u)) return false;
    pair[0] = b[0] | (b[1] & 0x0f) << 8;
    pair[1] = b[2] | (b[1] & 0xf0) << 4;
    for (int i = 0; i < 2; i++)
        if (pair[i] >= 2048) pair[i] -= 4096;
    return true;
}

static void put(const record *rec, int sample, bool as_text)
{
    const double value = sample == INVALID ? NAN : (sample - rec->baseline) / rec->gain;
    const float single = (float)value;
    if (!as_text)
        fwrite(&single, sizeof single, 1, stdout);
    else if (sample == INVALID)
        puts("nan");
    else
        printf("%.9g\n", value);
}

static const char *convert(const record *rec, FILE *file, bool as_text)
{
    const long values = rec->samples * rec->leads;
    unsigned sum = 0;
    int pair[2] = {0, 0};
    for (long i = 0; i < values; i++) {
        if (i % 2 == 0 && !next_pair(file, pair, i + 1 < values)) return "cut short";
        if (i % rec->leads != rec->lead) continue;
        sum += (unsigned)pair[i % 2];
        put(rec, pair[i % 2], as_text);
    }
    if (rec->has_checksum && (sum & 0xffff) != (unsigned)rec->checksum) return "wrong checksum";
    return NULL;
}

/* The data lies beside its header. */
static FILE *open_data(const record *rec, const char *header)
{
    static char path[4096];
    const char *slash = strrchr(header, '/');
    const int folder = slash ? (int)(slash - header + 1) : 0;
    const int length = snprintf(path, sizeof path, "%.*s%s", folder, header, rec->data);
    about = path;
    return length < (int)sizeof path ? fopen(path, "rb") : NULL;
}

int main(int argc, char **argv)
{
    record rec = {0};
    const char *format = "text";
    for (int option; (option = getopt(argc, argv, "l:f:")) != -1;) {
        if (option == 'l') rec.lead = atoi(optarg) - 1;
        if (option == 'f') format = optarg;
        if (option == '?') return 2;
    }
    const bool as_text = strcmp(format, "text") == 0;
    if (argc - optind != 1 || rec.lead < 0 || (!as_text && strcmp(format, "f32") != 0)) {
        fprintf(stderr, "usage: wfdb212 [-l LEAD] [-f text|f32] RECORD.hea\n");
        return 2;
    }
    about = argv[optind];
    FILE *file = fopen(about, "r");
    if (!file) return fail("cannot be opened");
    const char *wrong = read_header(&rec, file);
    fclose(file);
    if (wrong) return fail(wrong);
    file = open_data(&rec, argv[optind]);
    if (!file) return fail("cannot be opened");
    wrong = convert(&rec, file, as_text);
    fclose(file);
    if (wrong) return fail(wrong);
    about = "standard output";
    return fflush(stdout) != 0 || ferror(stdout) ? fail("cannot be written") : 0;
}
