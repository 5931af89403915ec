/* show.h - sigrep --show. */
#ifndef TOOLS_SIGREP_SHOW_H
#define TOOLS_SIGREP_SHOW_H

/* Print what is in a bundle, on standard output. Returns the exit status. */
int show_bundle(const char *path);

#endif
