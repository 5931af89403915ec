/*
 * row_words.h - which rows are names or units, and which are values.
 *
 *     t,2026        odd names: a word, and a number
 *     s,1,V         units, if numbers follow below its words
 *     ,0,1          counts the columns
 */
#ifndef IO_TABLES_ROW_WORDS_H
#define IO_TABLES_ROW_WORDS_H

#include "io/tables/row.h"

/* Is it a number or missing? */
bool field_is_value(const field *f);

/* Is it neither a value nor a time? */
bool field_is_word(const field *f);

size_t row_count_words(const row *r);

size_t row_count_numbers(const row *r);

/* Has it a word for a missing value, such as NA? */
bool row_has_missing_word(const row *r);

/* Could a line with numbers be names, such as "t,2026", rather than a row with a bad value? */
bool row_is_odd_names(const row *r);

/* Is a column of numbers in the row one of numbers in the line above, too? */
bool row_shares_numbers(const row *above, const row *r);

/* Has the line above a word, and the row, with as many fields, a number or time in its column? */
bool row_has_word_above(const row *above, const row *r);

/* Have both a word in one column? */
bool row_shares_words(const row *above, const row *r);

/* Could it be units: words, no time, and no number but 1? Dashes count as words. */
bool row_may_be_units(const row *r);

/* Is the line units, as the row below it shows? It has a number where the line has a word. A line
 * that begins with a number is no units. */
bool row_is_units(const row *line, const row *below);

/* Could "2026,t" or "1,V" above the row be names or units as well as values? Its numbers are whole,
 * and its first column does not count on from 1 to 2. */
bool row_is_unclear(const row *above, const row *r);

/* Does the line count its columns from 0, as pandas does if they have no names: "0,1,2" or, with
 * an index, ",0,1"? */
bool row_counts_columns(const row *r);

#endif
