/* SPDX-License-Identifier: MIT
 *
 * Suggestion for a misspelt name: the known name with the smallest edit distance (insertion, deletion,
 * substitution, exchange of two letters). A name that the word is a prefix of comes first.
 */
#ifndef PROTOCOL_PROGRAM_SUGGESTION_H
#define PROTOCOL_PROGRAM_SUGGESTION_H

struct guess {
	const char *word;
	const char *best; /* nearest name considered; NULL: none is near */
	int distance;
};

/* Call guess_consider for every known name, then read `best`. */
void guess_begin(struct guess *, const char *word);
void guess_consider(struct guess *, const char *name);

#endif
