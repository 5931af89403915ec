#include "tools/sigrep/output/save.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "check.h"

static char folder[] = "/var/tmp/save_file.XXXXXX";

static bool is_named(const char *input, const char *label, const char *start, const char *expected)
{
    char name[SAVE_FILE_NAME];
    save_file_name(name, input, label, start);
    if (strcmp(name, expected) != 0) fprintf(stderr, "%s\n", name);
    return strcmp(name, expected) == 0;
}

static void a_name_says_where_the_match_was(void)
{
    CHECK(is_named("rec/door.wav", "bell", "12.500", "door_bell_12.500"));
    CHECK(is_named("door", "bell.2", "00:00:12.500", "door_bell.2_00_00_12.500"));
    CHECK(is_named("a.tar.gz", "x", "-3.000", "a.tar_x_-3.000"));
    CHECK(is_named("(standard input)", "x", "0", "standard_input_x_0"));
    CHECK(is_named("mic:USB Audio", "x", "0", "mic_USB_Audio_x_0"));
    CHECK(is_named("mic:", "x", "0", "mic_x_0"));
    CHECK(is_named("\u304a\u308a\u3093\u3054.flac", "caf\u00e9", "1",
                   "\u304a\u308a\u3093\u3054_caf\u00e9_1"));
}

static void hostile_names_stay_in_the_folder(void)
{
    CHECK(is_named("/etc/..", "../../x", "1", "_.._.._x_1"));
    CHECK(is_named(".hidden", "..", "1", "hidden_.._1"));
    CHECK(is_named("-rf", "/", "1", "rf_1"));
    CHECK(is_named("", "", "", "_"));
    CHECK(is_named("/", "\n\x1b[2J\"$(x)`;*?", "1", "_2J_x_1"));
    CHECK(is_named("a\xff"
                   "b",
                   "\u202e"
                   "gpj",
                   "1", "a_b_gpj_1"));
}

/* Of any bytes, at any length. */
static void any_name_is_short_and_plain(void)
{
    uint64_t state = check_seed("any_name_is_short_and_plain");
    for (int i = 0; i < 2000; i++) {
        char text[3][400], name[SAVE_FILE_NAME + 1];
        for (int k = 0; k < 3; k++) {
            const size_t n = check_below(&state, sizeof text[k]);
            for (size_t at = 0; at < n; at++)
                text[k][at] = (char)(1 + check_below(&state, check_below(&state, 2) ? 255 : 64));
            text[k][n] = '\0';
        }
        memset(name, 'x', sizeof name);
        save_file_name(name, text[0], text[1], text[2]);
        CHECK(strlen(name) > 0 && strlen(name) <= 80 + 80 + 40 + 2 && !strchr(name, '/'));
        CHECK(name[0] != '.' && name[0] != '-');
        for (const char *c = name; *c; c++) CHECK((unsigned char)*c > 0x20 && *c != 0x7f);
    }
}

static void the_next_free_number_is_taken(void)
{
    static const char *const expected[] = {"a_b.wav", "a_b-2.wav", "a_b-3.wav"};
    char wanted[64];
    text_buffer path = {0};
    for (int i = 0; i < 3; i++) {
        const int fd = save_file_create(folder, "a_b", ".wav", &path);
        CHECK(fd >= 0 && write(fd, "old", 3) == 3);
        close(fd);
        snprintf(wanted, sizeof wanted, "%s/%s", folder, expected[i]);
        CHECK(strcmp(path.data, wanted) == 0);
        struct stat st;
        CHECK(stat(path.data, &st) == 0 && st.st_size == 3);
    }
    /* A link is a file that is there, wherever it points. */
    snprintf(wanted, sizeof wanted, "%s/link.wav", folder);
    CHECK(symlink("elsewhere", wanted) == 0);
    const int fd = save_file_create(folder, "link", ".wav", &path);
    CHECK(fd >= 0 && strstr(path.data, "/link-2.wav"));
    close(fd);
    CHECK(save_file_create("/nowhere", "a", ".wav", &path) == -1 && errno == ENOENT);
    CHECK(strcmp(path.data, "/nowhere/a.wav") == 0);
    free(path.data);
}

/* Regression: each of n files of one name cost n calls: 12 000 took two minutes. Numbers that are
 * free between others may stay so. */
static void many_files_of_one_name_cost_few_calls(void)
{
    text_buffer path = {0};
    char wanted[64];
    for (int i = 1; i <= 3000; i++) {
        const int fd = save_file_create(folder, "many", ".csv", &path);
        CHECK(fd >= 0);
        close(fd);
        snprintf(wanted, sizeof wanted, "%s/many-%d.csv", folder, i);
        CHECK(i == 1 || strcmp(path.data, wanted) == 0);
    }
    snprintf(wanted, sizeof wanted, "%s/many-3001.csv", folder);
    CHECK(symlink("elsewhere", wanted) == 0);
    const int fd = save_file_create(folder, "many", ".csv", &path);
    CHECK(fd >= 0 && strstr(path.data, "/many-3002.csv"));
    close(fd);
    free(path.data);
}

static void the_folder_is_made_once(void)
{
    CHECK(chdir(folder) == 0);
    CHECK(save_file_make_folder("new") && save_file_make_folder("new"));
    CHECK(access("new", F_OK) == 0 && rmdir("new") == 0);
}

int main(void)
{
    CHECK(mkdtemp(folder) != NULL);
    RUN(a_name_says_where_the_match_was);
    RUN(hostile_names_stay_in_the_folder);
    RUN(any_name_is_short_and_plain);
    RUN(the_next_free_number_is_taken);
    RUN(many_files_of_one_name_cost_few_calls);
    RUN(the_folder_is_made_once);
    CHECK(system("rm -rf -- /var/tmp/save_file.??????") == 0);
    return check_done();
}
