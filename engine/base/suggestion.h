/* SPDX-License-Identifier: MIT
 *
 * Suggestion for a misspelt name: the known name with the smallest edit distance (insertion, deletion,
 * substitution, exchange of two letters). A name that the word is a prefix of comes first.
 */
#ifndef ENGINE_BASE_SUGGESTION_H
#define ENGINE_BASE_SUGGESTION_H

struct suggestion {
	const char *word;
	const char *best; /* nearest name considered; NULL: none is near */
	int distance;
};

/* Call suggestion_consider for every known name, then read `best`. */
void suggestion_begin(struct suggestion *, const char *word);
void suggestion_consider(struct suggestion *, const char *name);

#endif
