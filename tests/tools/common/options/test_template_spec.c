#include "tools/common/options/template_spec.h"

#include <stdlib.h>
#include <string.h>

#include "check.h"

/* One spelling and what it means; start 0 and end 0: no range. */
typedef struct {
    const char *text, *label, *path;
    double start_s, end_s;
} spelling;

static void check_spelling(const spelling *s)
{
    template_spec spec;
    const char *reason = template_spec_parse(&spec, s->text);
    CHECK_MSG(!reason, "'%s': %s", s->text, reason);
    if (reason) return;
    CHECK_MSG(strcmp(spec.path, s->path) == 0, "'%s': path '%s'", s->text, spec.path);
    CHECK_MSG(!spec.label == !s->label, "'%s'", s->text);
    if (spec.label && s->label)
        CHECK_MSG(strcmp(spec.label, s->label) == 0, "'%s': label '%s'", s->text, spec.label);
    CHECK_MSG(spec.has_range == (s->end_s > 0), "'%s'", s->text);
    CHECK_MSG(spec.range.start_s == s->start_s && spec.range.end_s == s->end_s, "'%s': %g-%g",
              s->text, spec.range.start_s, spec.range.end_s);
    template_spec_free(&spec);
}

static void check_all(const spelling *all, size_t n)
{
    for (size_t i = 0; i < n; i++) check_spelling(&all[i]);
}

#define CHECK_ALL(all) check_all(all, sizeof all / sizeof *all)

static void labels_end_at_the_first_equals_before_a_slash(void)
{
    static const spelling all[] = {
        {"a.wav", NULL, "a.wav", 0, 0},
        {"yes=a.wav", "yes", "a.wav", 0, 0},
        {"yes=dir/a.wav", "yes", "dir/a.wav", 0, 0},
        {"dir/yes=a.wav", NULL, "dir/yes=a.wav", 0, 0},
        {"./yes=a.wav", NULL, "./yes=a.wav", 0, 0},
        {"/x=y", NULL, "/x=y", 0, 0},
        {"a=b=c", "a", "b=c", 0, 0},
        {"a==c", "a", "=c", 0, 0},
        {"a=/b=c", "a", "/b=c", 0, 0},
        {"two words=-", "two words", "-", 0, 0},
        {"-", NULL, "-", 0, 0},
        {"k\xc3\xa4se=a", "k\xc3\xa4se", "a", 0, 0},
    };
    CHECK_ALL(all);
}

static void ranges_are_two_rising_decimals_behind_the_last_at(void)
{
    static const spelling all[] = {
        {"a.wav@1.20-1.85", NULL, "a.wav", 1.2, 1.85},
        {"a.wav@0-3", NULL, "a.wav", 0, 3},
        {"a@.5-1.", NULL, "a", 0.5, 1},
        {"yes=a@1-2", "yes", "a", 1, 2},
        {"me@home.wav", NULL, "me@home.wav", 0, 0},
        {"me@home.wav@1-2", NULL, "me@home.wav", 1, 2},
        {"a@1-2@3-4", NULL, "a@1-2", 3, 4},
        {"a@1-2@x", NULL, "a@1-2@x", 0, 0},
        {"a@1-2/b", NULL, "a@1-2/b", 0, 0},
        {"a@2-1", NULL, "a@2-1", 0, 0},
        {"a@1-1", NULL, "a@1-1", 0, 0},
        {"a@1", NULL, "a@1", 0, 0},
        {"a@1-", NULL, "a@1-", 0, 0},
        {"a@-1", NULL, "a@-1", 0, 0},
        {"a@-1-2", NULL, "a@-1-2", 0, 0},
        {"a@1-2-3", NULL, "a@1-2-3", 0, 0},
        {"a@1e0-2", NULL, "a@1e0-2", 0, 0},
        {"a@ 1-2", NULL, "a@ 1-2", 0, 0},
        {"a@1-inf", NULL, "a@1-inf", 0, 0},
        {"a@.-1", NULL, "a@.-1", 0, 0},
        {"a@1.2.3-4", NULL, "a@1.2.3-4", 0, 0},
        {"a@", NULL, "a@", 0, 0},
        {"@", NULL, "@", 0, 0},
        {"x@1-2=a", "x@1-2", "a", 0, 0},
        {"x=@home", "x", "@home", 0, 0},
    };
    CHECK_ALL(all);
}

static void nothing_is_no_template(void)
{
    static const char *const bad[] = {"", "=", "=a.wav", "a=", "@1-2", "a=@1-2"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        template_spec spec;
        CHECK_MSG(template_spec_parse(&spec, bad[i]) != NULL, "'%s'", bad[i]);
        CHECK(!spec.path && !spec.label);
    }
}

static void base_names_keep_the_extension(void)
{
    CHECK(strcmp(template_base_name("a.wav"), "a.wav") == 0);
    CHECK(strcmp(template_base_name("/x/y/a.b.wav"), "a.b.wav") == 0);
    CHECK(strcmp(template_base_name("x//a"), "a") == 0);
    CHECK(strcmp(template_base_name("x/a/"), "a/") == 0);
    CHECK(strcmp(template_base_name("/"), "/") == 0);
    CHECK(strcmp(template_base_name("-"), "-") == 0);
}

static void a_stem_has_no_extension(void)
{
    static const struct {
        const char *path, *stem;
    } cases[] = {{"a.wav", "a"},   {"/x.y/a.b.wav", "a.b"},
                 {".wav", ".wav"}, {"x.d/a", "a"},
                 {"a.", "a"},      {"-", "-"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *stem = template_stem(cases[i].path);
        CHECK(strcmp(stem, cases[i].stem) == 0);
        free(stem);
    }
}

int main(void)
{
    RUN(labels_end_at_the_first_equals_before_a_slash);
    RUN(ranges_are_two_rising_decimals_behind_the_last_at);
    RUN(nothing_is_no_template);
    RUN(base_names_keep_the_extension);
    RUN(a_stem_has_no_extension);
    return check_done();
}
