#include <string.h>

#include "io/detect.h"
#include "io/source.h"
#include "tests/io/source_help.h"

/* Detect n bytes; byte by byte must give the same, after `by` bytes at the latest. Raw samples are
 * known by what does not come. */
static bool is(detect_kind kind, const char *bytes, size_t n, size_t by)
{
    const unsigned char *b = (const unsigned char *)bytes;
    if (detect(b, n, true) != kind) return false;
    for (size_t i = 1; i <= n; i++) {
        detect_kind now = detect(b, i, i == n);
        if (now == DETECT_WAITING && i < n && (i < by || kind == DETECT_F32)) continue;
        if (now == DETECT_PERHAPS_F32 && i < n) continue;
        return now == kind;
    }
    return false;
}

#define IS(kind, bytes, by) CHECK(is(kind, bytes, sizeof(bytes) - 1, by))

static void headers_are_known(void)
{
    IS(DETECT_WAV, "RIFF\x24\0\0\0WAVEfmt ", 12);
    IS(DETECT_WAV, "RIFX\0\0\0\x24WAVEfmt ", 12);
    IS(DETECT_RF64, "RF64\xff\xff\xff\xffWAVEds64", 12);
    IS(DETECT_W64, "riff\x2e\x91\xcf\x11\xa5\xd6\x28\xdb\x04\xc1\0\0", 12);
    IS(DETECT_AIFF, "FORM\0\0\1\0AIFFCOMM", 12);
    IS(DETECT_AIFF, "FORM\0\0\1\0AIFCFVER", 12);
    IS(DETECT_OTHER, "FORM\0\0\1\0008SVXVHDR", 12);
    IS(DETECT_AU, ".snd\0\0\0\x18", 4);
    IS(DETECT_AU, "dns.\x18\0\0\0", 4);
    IS(DETECT_FLAC, "fLaC\0\0\0\"", 4);
    IS(DETECT_OGG, "OggS\0\2\0\0", 5);
    IS(DETECT_CAF, "caff\0\1\0\0desc", 6);
    IS(DETECT_MP3, "ID3\4\0\0\0\0\0\0", 4);
    IS(DETECT_MP3, "\xff\xfb\x90\x64\0\0", 4);
    IS(DETECT_MP3, "\xff\xf3\x88\xc4\0\0", 4);
    IS(DETECT_NPY, "\x93NUMPY\1\0v\0", 6);
    IS(DETECT_FOREIGN, "PK\3\4\x14\0", 4);
    IS(DETECT_FOREIGN,
       "\0\0\0\x20"
       "ftypisom",
       8);
    IS(DETECT_BUNDLE, "\x89SGR\r\n\x1a\n\1\0\0\0", 8);
    IS(DETECT_OTHER, "NIST_1A\n   1024\n", 7);
    IS(DETECT_OTHER, "Creative Voice File\x1a", 12);
}

static void text_in_utf16_is_known(void)
{
    IS(DETECT_UTF16, "\xff\xfe\061\0,\0\n\0", 8);
    IS(DETECT_UTF16, "\xfe\xff\0-\0001\0\t\0002", 8);
    IS(DETECT_UTF16, "\xff\xfe\061\0\n\0", 6);
    IS(DETECT_F32, "\xff\xfe\061\0", 4);
    IS(DETECT_F32, "\xff\xfe\061\0,\0\1\0", 7);
    IS(DETECT_F32, "\xff\xfe\061\0,\1", 6);
    IS(DETECT_F32, "\xfe\xff\061\0,\0", 4);
    IS(DETECT_F32, "\xfe\xfe\0001\0,\0002", 3);
}

static void a_header_that_breaks_off_is_none(void)
{
    IS(DETECT_TEXT, "RIFF", 4);
    IS(DETECT_TEXT, "RIFF,x\n1,2\n", 9);
    IS(DETECT_TEXT, "R\n1\n", 2);
    IS(DETECT_F32, "RIFF\0\0\0\0RMIDdata", 9);
    IS(DETECT_F32, "\x89SGR\r\n\x1a\r", 8);
    IS(DETECT_TEXT, "ID3,ID4\n1,2\n", 8);
    IS(DETECT_TEXT, "OggSamples\n1\n", 11);
}

static void frames_of_mpeg_with_reserved_bits_are_floats(void)
{
    IS(DETECT_F32, "\xff\xfb\xf0\x64", 4);
    IS(DETECT_F32, "\xff\xeb\x90\x64", 4);
    IS(DETECT_F32, "\xff\xfb\x9c\x64", 3);
    IS(DETECT_F32, "\xff\xfd\x90\x64", 3);
    IS(DETECT_F32, "\xff\xfb\x90\x62", 4);
}

/* No float in [-2, 2) may look like an MP3 header, whatever its low bytes are. */
static void small_floats_are_no_mp3(void)
{
    uint64_t seed = check_seed("small floats");
    for (int i = 0; i < 200000; i++) {
        float x = (float)(check_random(&seed) >> 40) / 8388608.0f - 1.0f;
        if (check_below(&seed, 4) == 0) x *= 2.0f;
        unsigned char b[4];
        memcpy(b, &x, 4);
        b[0] = 0xff;
        b[1] = 0xfb;
        CHECK(detect(b, 4, false) != DETECT_MP3);
    }
}

static void text_is_settled_by_its_newline(void)
{
    IS(DETECT_TEXT, "1\n\0\0\0", 2);
    IS(DETECT_TEXT, "1.5,2\r\n3", 7);
    IS(DETECT_TEXT,
       "\xef\xbb\xbf"
       "1\n",
       5);
    IS(DETECT_TEXT, "# \xc3\xa9t\xc3\xa9\n1\n", 8);
    IS(DETECT_TEXT, "\n", 1);
    IS(DETECT_TEXT, "1", 1);
    IS(DETECT_TEXT, "a\tb", 3);
}

static void raw_is_settled_by_an_unprintable_byte(void)
{
    IS(DETECT_F32, "\1\0\0\0", 1);
    IS(DETECT_F32, "\0\0\0\0\0", 5); /* MP4 has "ftyp" there */
    IS(DETECT_F32, "12\x01", 3);
    IS(DETECT_F32, "12\x7f", 3);
    IS(DETECT_F32, "a\xc3(\x80", 4);
    IS(DETECT_F32, "\xed\xa0\x80\n", 3);
    IS(DETECT_F32, "\xc0\x80\n", 2);
    IS(DETECT_F32, "\xf4\x90\x80\x80", 2);
    IS(DETECT_F32, "\xe2\x82", 2);
}

/* Regression: a table with such a header was searched as raw samples. */
static void a_first_line_of_latin_1_is_text(void)
{
    IS(DETECT_TEXT, "Zeit;Gr\xf6\xdf\x65 [m\xb2]\n0;1\n", 16);
    IS(DETECT_TEXT, "# Temp\xe9rature, \xb0\x43\r\n1\r\n", 20);
    IS(DETECT_TEXT, "L\xe4nge\n", 6);
    IS(DETECT_TEXT, "\xdc\x62\x65r\n", 5);
    IS(DETECT_TEXT,
       "# \xc3\xa9t\xe9 1\n"
       "1\n",
       9);
}

/* Else samples would often be judged as text, or waited for. */
static void a_line_of_much_latin_1_is_raw(void)
{
    IS(DETECT_F32, "\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff", 6);
    IS(DETECT_F32, "\xb0\x43\n1\n2\n", 3);
    IS(DETECT_F32, "ab\xe4\n1\n2\n", 4);
    IS(DETECT_F32, "L\xe4nge \xf6\xfc\xe4\n", 10);
    IS(DETECT_F32, "abcdefghijkl\x85\n", 13);
}

/* 22.4, 1.4 and 1.9: three printable bytes, one of Latin-1, and never an end of line. */
static void held_floats_are_raw(void)
{
    static const float values[] = {22.4F, 1.4F, 1.9F, -22.9F};
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        float held[2000];
        for (size_t t = 0; t < 2000; t++) held[t] = values[i];
        const size_t sizes[] = {sizeof *held, 100 * sizeof *held, sizeof held};
        for (size_t k = 0; k < 3; k++)
            CHECK_MSG(detect((const unsigned char *)held, sizes[k], true) == DETECT_F32, "%g, %zu",
                      (double)values[i], sizes[k]);
    }
}

/* 8-bit noise looks like text in 0.81 % of all cases. The limit is 27 standard deviations above. */
static void noise_is_seldom_text(void)
{
    enum { CASES = 20000, LENGTH = 64 };
    uint64_t random = check_seed("noise");
    size_t texts = 0;
    for (size_t i = 0; i < CASES; i++) {
        unsigned char noise[LENGTH];
        for (size_t k = 0; k < LENGTH; k++) noise[k] = (unsigned char)check_below(&random, 256);
        texts += detect(noise, LENGTH, false) == DETECT_TEXT;
    }
    CHECK_MSG(texts <= CASES / 40, "%zu of %d", texts, CASES);
}

/* The bug: MP2 from the middle of a frame was a table with bad lines. */
static void frames_may_begin_like_a_line(void)
{
    unsigned char bytes[3000] = "ab\n";
    for (size_t i = 20; i + 417 <= sizeof bytes; i += 417)
        memcpy(bytes + i, "\xff\xfb\x90\x44\1\2\3\4", 8);
    CHECK(detect(bytes, sizeof bytes, true) == DETECT_TEXT);
    CHECK(detect_frames_after_text(bytes, sizeof bytes) == DETECT_MP3);
    CHECK(detect_frames_after_text(bytes, 100) == DETECT_TEXT);
    CHECK(detect_frames_after_text((const unsigned char *)"1\n2\n", 4) == DETECT_TEXT);
}

static void a_long_first_line_is_text(void)
{
    static unsigned char line[DETECT_LINE + 10];
    memset(line, '1', sizeof line);
    CHECK(detect(line, DETECT_LINE - 1, false) == DETECT_WAITING);
    CHECK(detect(line, DETECT_LINE, false) == DETECT_TEXT);
    line[DETECT_LINE] = 0;
    CHECK(detect(line, sizeof line, false) == DETECT_TEXT);
    line[DETECT_LINE - 1] = 0xc3; /* half a letter at the limit */
    CHECK(detect(line, DETECT_LINE, true) == DETECT_TEXT);
    CHECK(detect(line, sizeof line, false) == DETECT_TEXT);
    line[DETECT_LINE - 2] = 0;
    CHECK(detect(line, sizeof line, true) == DETECT_F32);
}

static bool printable(const char *text, size_t n)
{
    return detect_is_printable((const unsigned char *)text, n);
}

static void all_of_it_is_printable_or_not(void)
{
    CHECK(printable("", 0));
    CHECK(printable("0,1\r\n2\t3\n", 9));
    CHECK(printable("# \xc3\xa9t\xc3\xa9\n", 8));
    CHECK(printable("1\n\xc3", 3)); /* cut */
    CHECK(printable("# 20 \xb0\x43, Ger\xe4t\n", 14));
    CHECK(!printable("1\n\0\0", 4));
    CHECK(!printable("12\x01", 3));
    CHECK(!printable("12\x7f", 3));
    CHECK(!printable("a\x80(", 3));
}

/* Are two headers, `apart` bytes apart, surely MP3? */
static bool two_headers(const char *header, size_t apart, size_t n)
{
    unsigned char bytes[2048] = {0};
    memcpy(bytes, header, 4);
    memcpy(bytes + apart, header, 4);
    return detect_is_surely_mp3(bytes, n);
}

/* Lengths as an encoder gives them: LAME's tables of frames. */
static void a_second_frame_makes_an_mp3_sure(void)
{
    CHECK(two_headers("\xff\xfb\x90\x64", 417, 2048));  /* MPEG 1, 128 kbit/s, 44100 Hz */
    CHECK(two_headers("\xff\xfb\x92\x64", 418, 2048));  /* padded */
    CHECK(two_headers("\xff\xfb\xe8\x64", 1440, 2048)); /* 320 kbit/s, 32000 Hz */
    CHECK(two_headers("\xff\xf3\x84\xc4", 192, 2048));  /* MPEG 2, 64 kbit/s, 24000 Hz */
    CHECK(two_headers("\xff\xe3\x48\xc4", 288, 2048));  /* MPEG 2.5, 32 kbit/s, 8000 Hz */
    CHECK(two_headers("\xff\xfb\x90\x64", 417, 421));
    CHECK(!two_headers("\xff\xfb\x90\x64", 417, 420));
    CHECK(!two_headers("\xff\xfb\x90\x64", 416, 2048));
    CHECK(!two_headers("\xff\xfb\x90\x64", 0, 3));
    CHECK(detect_is_surely_mp3((const unsigned char *)"ID3\4", 4));
    CHECK(!detect_is_surely_mp3((const unsigned char *)"fLaC", 4));
}

static bool refuses_bytes(const char *bytes, size_t n, const char *words)
{
    const source_options o = help_options(SOURCE_AUTO);
    return help_gives_bytes(&o, bytes, n, words);
}

#define REFUSES(bytes, words) CHECK(refuses_bytes(bytes, sizeof(bytes) - 1, "!! " words))

#define FFMPEG "convert it by ffmpeg -i FILE -f wav -"

static void films_and_sounds_name_ffmpeg(void)
{
    REFUSES("\0\0\0\x20"
            "ftypisom\0\0\2\0",
            "is MP4 (or M4A, MOV): " FFMPEG);
    REFUSES("\0\0\0\x1c"
            "ftypM4A \0\0\2\0",
            "is MP4 (or M4A, MOV): " FFMPEG);
    REFUSES("\x1a\x45\xdf\xa3\x01\0\0\0", "is Matroska or WebM: " FFMPEG);
    REFUSES("RIFF\x24\0\0\0AVI LIST", "is AVI: " FFMPEG);
    REFUSES("\x30\x26\xb2\x75\x8e\x66\xcf\x11\xa6\xd9", "is WMA or WMV: " FFMPEG);
    REFUSES("#!AMR-WB\n\x04", "is AMR: " FFMPEG);
    REFUSES("wvpk\x10\0\0\0\x10\x04\0\0", "is WavPack: " FFMPEG);
}

#define ZIP_FILE(size, name)                                                                       \
    "PK\3\4\x14\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0" size "\0\0\0" name "\x93NUMPY\1\0"

static void archives_name_what_unpacks_them(void)
{
    REFUSES(ZIP_FILE("\5", "x.txt"), "is a zip archive: unpack it into a pipe by unzip -p FILE");
    REFUSES(ZIP_FILE("\7", "arr.npy"), "is NPZ, a zip archive of NPY: unpack it into a pipe by "
                                       "unzip -p FILE NAME.npy");
    REFUSES("PK\3\4", "is a zip archive: unpack it into a pipe by unzip -p FILE");
    REFUSES("BZh91AY&SY\1\2", "is bzip2: unpack it into a pipe by bzip2 -dc FILE");
    REFUSES("\xfd\x37zXZ\0\0\4", "is xz: unpack it into a pipe by xz -dc FILE");
    REFUSES("7z\xbc\xaf\x27\x1c\0\4", "is a 7z archive: unpack it into a pipe by 7z x -so FILE");
    REFUSES("\x04\x22\x4d\x18\x64\x40", "is lz4: unpack it into a pipe by lz4 -dc FILE");
}

static void data_of_other_programs_names_its_converter(void)
{
    REFUSES("\x89HDF\r\n\x1a\n\0\0",
            "is HDF5: take a dataset out by h5dump -d /NAME -b LE -o OUT FILE");
    REFUSES("MATLAB 7.3 MAT-file, Platform",
            "is MATLAB 7.3 (HDF5): take a variable out by h5dump -d /NAME -b LE -o OUT FILE");
    REFUSES("\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1",
            "is a file of Excel 97 or other programs: convert it by python3 -c \"import pandas; "
            "pandas.read_excel('FILE').to_csv('OUT', index=False)\"");
    REFUSES("PK\3\4-----[Content_Types].xml-----PK\3\4---xlxl/workbook.xml",
            "is Excel: convert it by python3 -c \"import pandas; "
            "pandas.read_excel('FILE').to_csv('OUT', index=False)\"");
    REFUSES("PK\3\4-----[Content_Types].xml-----PK\3\4---word/x",
            "is a zip archive: unpack it into a pipe by unzip -p FILE");
    REFUSES("PAR1\x15\4\x15\x80",
            "is Parquet: convert it by duckdb -csv -c \"FROM read_parquet('FILE')\"");
    REFUSES("\xff"
            "BIOSEMIpatient",
            "is BDF: convert it by edf2ascii FILE");
    REFUSES("\x89PNG\r\n\x1a\n\0\0", "is a PNG image: it has no samples");
    REFUSES("%PDF-1.7\n", "is PDF: it has no samples");
    REFUSES("\x7f"
            "ELF\2\1\1\0",
            "is a program (ELF): it has no samples");
}

/* The first 256 bytes of EDF, and samples. */
static const char *edf(const char *version, const char *date)
{
    static char bytes[400];
    memset(bytes, ' ', 256);
    memcpy(bytes, version, strlen(version));
    memcpy(bytes + 8, "X X X X", 7);
    memcpy(bytes + 168, date, strlen(date));
    memset(bytes + 256, 7, sizeof bytes - 256);
    return bytes;
}

static bool begins(const char *bytes, size_t n)
{
    return detect((const unsigned char *)bytes, n, false) == DETECT_FOREIGN;
}

static void edf_begins_like_text(void)
{
    static const char words[] = "!! is EDF: convert it by edf2ascii FILE";
    CHECK(refuses_bytes(edf("0", "16.09.8720.35.00"), 400, words));
    CHECK(refuses_bytes(edf("0", "16.09.8720.35.00"), 184, words));
    CHECK(!begins(edf("1", "16.09.8720.35.00"), 400));
    CHECK(!begins(edf("0", "16.09.87 20.35.0"), 400));
    CHECK(!begins(edf("0", "16.09.8720.35.00"), 183));
}

#define OBJECTS "is JSON: make rows of numbers by jq -r '[.NAME, .NAME] | @csv' FILE"
#define OR_LINES "; if each line is an array, -f jsonl reads them"
#define ARRAYS "is JSON: make rows of numbers by jq -r '.[] | @csv' FILE" OR_LINES
#define NUMBERS "is JSON: make lines of numbers by jq '.[]' FILE" OR_LINES

static void json_names_jq(void)
{
    REFUSES("{\n  \"x\": [1, 2]\n}\n", OBJECTS);
    REFUSES("\xef\xbb\xbf{\"x\":", OBJECTS);
    REFUSES("{\"x\": 1}]\n", OBJECTS);
    REFUSES("[\r\n [1],\r\n [2]]\n", ARRAYS);
    REFUSES("[[1, 2],\n [3, 4]]\n", ARRAYS);
    REFUSES("[{\"x\": 1}]", ARRAYS);
    REFUSES("[]", ARRAYS);
    REFUSES("[null, 1]", ARRAYS);
    REFUSES("[true]\n", ARRAYS);
    REFUSES("[1, -2.5, 3]\n", NUMBERS);
    REFUSES("[ -1,\n2]", NUMBERS);
}

/* Names and units in brackets head tables. */
static void a_header_in_brackets_is_no_json(void)
{
    const source_options o = help_options(SOURCE_AUTO);
    CHECK(help_gives(&o, "[s],[mV]\n1,2\n", "1 2"));
    CHECK(help_gives(&o, "[0] [1]\n1 2\n", "1 2"));
    CHECK(help_gives(&o, "[nA];{unit}\n1;2\n", "1 2"));
    CHECK(help_gives(&o, "{t} {x}\n1 2\n", "1 2"));
}

/* -f reads anything. */
static void the_options_format_holds(void)
{
    source_options o = help_options(SOURCE_U8);
    CHECK(help_gives_bytes(&o, "PK\3\4", 4, "-0.375 | -0.4140625 | -0.9765625 | -0.96875"));
    o.format = SOURCE_TEXT;
    CHECK(help_gives(&o, "{\"x\"}\n1\n", "1"));
}

static void a_beginning_is_undecided(void)
{
    CHECK(detect((const unsigned char *)"PK\3", 3, false) == DETECT_WAITING);
    CHECK(detect((const unsigned char *)"PX\3", 3, true) == DETECT_F32);
    CHECK(begins("PK\3\4", 4));
}

int main(void)
{
    RUN(headers_are_known);
    RUN(text_in_utf16_is_known);
    RUN(a_header_that_breaks_off_is_none);
    RUN(frames_of_mpeg_with_reserved_bits_are_floats);
    RUN(small_floats_are_no_mp3);
    RUN(text_is_settled_by_its_newline);
    RUN(raw_is_settled_by_an_unprintable_byte);
    RUN(a_first_line_of_latin_1_is_text);
    RUN(a_line_of_much_latin_1_is_raw);
    RUN(held_floats_are_raw);
    RUN(noise_is_seldom_text);
    RUN(frames_may_begin_like_a_line);
    RUN(a_long_first_line_is_text);
    RUN(all_of_it_is_printable_or_not);
    RUN(a_second_frame_makes_an_mp3_sure);
    RUN(films_and_sounds_name_ffmpeg);
    RUN(archives_name_what_unpacks_them);
    RUN(data_of_other_programs_names_its_converter);
    RUN(edf_begins_like_text);
    RUN(json_names_jq);
    RUN(a_header_in_brackets_is_no_json);
    RUN(the_options_format_holds);
    RUN(a_beginning_is_undecided);
    return check_done();
}
