/* SPDX-License-Identifier: MIT
 *
 * Certificates: files that prove a result of a position. A certificate claims a least result for one side or for
 * both, and gives that side's move for each position that a check by the rules (engine/search/verify.h) asks for. Whoever
 * knows the rules can check it; yomi-solve writes it, `yomi verify` checks it.
 *
 * The file is a text, packed with zstd:
 *
 *     yomi-certificate 1
 *     game othello
 *     rules standard
 *     size 8
 *     position SQUARES SIDE
 *     claim X draw             (or win: the least result of this side)
 *     SQUARES SIDE MOVE        (the positions in a fixed order, each once)
 *     ...
 *     end 1234                 (the number of these lines)
 *
 * and from `claim` on once more if both sides draw. One position stands for its mirror images. Positions with
 * few empty squares are left out: the check tries all moves there.
 *
 * A file is not trusted: whatever it contains, reading refuses it or the check tells whether it proves its claims.
 */
#ifndef PROTOCOL_PROGRAM_CERTIFICATE_H
#define PROTOCOL_PROGRAM_CERTIFICATE_H

#include "engine/rules/book.h"
#include "engine/search/common/options.h"
#include "engine/search/verify.h"

/* With at most this many empty squares a check tries all moves instead of looking for one in the file. -1: it never does, because
 * moves may free squares. Files depend on it. */
int certificate_tried(const struct game *);

struct certificate_entry {
	struct book_entry key; /* with `step` unused */
	struct move move;      /* under the key's symmetry */
};

struct certificate_claim {
	int side, points; /* as in verifier_create(): 1 a win, 0 at least a draw */
	struct certificate_entry *entries;
	size_t count;
};

struct certificate {
	const struct game *game; /* has stones, and positions cannot repeat */
	struct state start;
	int count;
	struct certificate_claim claims[2];
};

/* Starts a certificate without claims; free it. */
void certificate_init(struct certificate *, const struct game *, const struct state *start);
void certificate_free(struct certificate *);

/* Adds a claim, at most two. */
struct certificate_claim *certificate_add(struct certificate *, int side, int points);

/* The entry of a position and its move, and the position of an entry. */
struct certificate_entry certificate_entry(const struct game *, const struct state *, struct move);
void certificate_state(const struct game *, const struct book_entry *key, struct state *);

/* Appends an entry. Lookups need certificate_sort() first, which keeps one entry of each position. */
void certificate_append(struct certificate_claim *, const struct certificate_entry *);
void certificate_sort(struct certificate_claim *);

/* Finds the move of a position. Returns false if the claim has none. */
bool certificate_find(const struct game *, const struct certificate_claim *, const struct state *,
		      struct move *);

/* Writes a sorted certificate, whole or not at all. Returns false with the reason in `why`. */
bool certificate_write(const char *path, struct certificate *, char why[REASON_MAX]);

/* Reads a file into a certificate, which must be freed in both cases. Returns false with the reason in `why` if it
 * cannot be read, is malformed, or needs more than `max` bytes of memory. */
bool certificate_read(const char *path, size_t max, struct certificate *, char why[REASON_MAX]);

/* Checks a claim with a table of `bytes`. Sets the number of positions visited, and unless the claim is VERIFIED the
 * position of the hole: UNFINISHED if it is one without a move, or if control ended the check. */
enum verdict certificate_check(const struct certificate *, int claim, size_t bytes,
			       struct control *, uint64_t *positions, struct state *hole);

#endif
