/* lists.h - what sigrep prints on standard output without a search: --show, --list-devices. */
#ifndef TOOLS_SIGREP_LISTS_H
#define TOOLS_SIGREP_LISTS_H

/* Print what is in a bundle. Returns the exit status. */
int list_bundle(const char *path);

/* Print the microphones, one a line: the name as INPUT, channels, rate, "default". Returns the exit
 * status. */
int list_microphones(void);

#endif
