/* SPDX-License-Identifier: MIT
 *
 * What somebody meant who mistyped a name: the nearest of those there are, by the edits (a letter
 * more, less, another, two exchanged) between them; or, nearer still, one that begins so.
 */
#ifndef PROTOCOL_GUESS_H
#define PROTOCOL_GUESS_H

struct guess {
	const char *word;
	const char *best; /* of those considered; NULL: none is near */
	int distance;
};

/* Consider every name in turn, then look at `best`. */
void guess_begin(struct guess *, const char *word);
void guess_consider(struct guess *, const char *name);

#endif
