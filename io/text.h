/*
 * text.h - numbers in lines, as source.c sees them: text_open of source_ops.h. The rules:
 *
 * A line is a frame: one number, or a row of them, separated by commas, semicolons, tabs
 * or spaces (row.h). Blank lines and # comments are passed over, CRLF and a byte order
 * mark too. The first row may be a header: none of its fields that count is a number. The
 * first row of numbers fixes how many fields every row has; where columns are listed, only
 * those (and the time column) must be numbers, the others may hold anything.
 *
 * Numbers are those of strtof in the C locale: rounded once, hexadecimal too, nan and inf
 * (gaps, as is what overflows). A time is a number or ISO 8601 (iso8601.h), one kind in
 * a file. It is no part of the frame unless its column is listed.
 *
 * A bad line ends the input with an error that names it. With skip_bad it is a frame of
 * NaN at its place (its time, if that can be read, else NaN) and a warning.
 *
 * --channels is the number of values in a row, the time not counted.
 *
 * A template (is_template) may be a file of which only the chosen columns are left: rows
 * wide enough for every listed column and the time column are treated as above; else,
 * rows of exactly n_columns values are taken whole. With a time column and no list, rows
 * of one value, or too narrow to have that column, are taken whole.
 *
 * What follows the last newline is a line too, unless a wake ended the input: then it may
 * be half a number.
 */
#ifndef IO_TEXT_H
#define IO_TEXT_H

#include "io/source_ops.h"

#endif
