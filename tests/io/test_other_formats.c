#include "io/other_formats.h"

#include <stdio.h>
#include <string.h>

#include "io/source.h"
#include "tests/io/source_help.h"

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
    bool undecided;
    return other_format_begins((const unsigned char *)bytes, n, &undecided);
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
    bool undecided = false;
    CHECK(!other_format_begins((const unsigned char *)"P", 1, &undecided) && undecided);
    undecided = false;
    CHECK(!other_format_begins((const unsigned char *)"PX", 2, &undecided) && !undecided);
    CHECK(other_format_begins((const unsigned char *)"PK\3\4", 4, &undecided));
}

int main(void)
{
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
