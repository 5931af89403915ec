/*
 * asset.h - files that are built into a program. The assembler finds them from the top of the
 * source.
 *
 *     ASSET(page_css, ASSET_FILE("tools/sigrep-plot/page/page.css"));
 *
 * Names of assets are global in a program. The Makefile must name the files of each object.
 */
#ifndef TOOLS_COMMON_ASSET_H
#define TOOLS_COMMON_ASSET_H

#include <stddef.h>

/* A NUL follows `end`. */
typedef struct {
    const char *begin, *end;
} asset;

#define ASSET_FILE(path) ".incbin \"" path "\"\n"

/* Defines the static asset `name`: some ASSET_FILE(...), one after the other. */
#define ASSET(name, files)                                                                         \
    __asm__(".section .rodata\n"                                                                   \
            ".hidden " #name "_begin\n.hidden " #name "_end\n"                                     \
            ".globl " #name "_begin\n.globl " #name "_end\n" #name "_begin:\n" files #name         \
            "_end:\n.byte 0\n"                                                                     \
            ".previous\n");                                                                        \
    extern const char name##_begin[], name##_end[];                                                \
    static const asset name = {name##_begin, name##_end}

static inline size_t asset_size(const asset *a)
{
    return (size_t)(a->end - a->begin);
}

#endif
