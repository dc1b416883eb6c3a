/* SPDX-License-Identifier: MIT
 *
 * What dfpn.c (the search) and dfpn_report.c (its report) share: the proof numbers of a position, their
 * entries in the transposition table, and the search object. The best-first search (pns.c) uses the numbers, too.
 */
#ifndef ENGINE_SEARCH_PROOF_DFPN_PRIVATE_H
#define ENGINE_SEARCH_PROOF_DFPN_PRIVATE_H

#include "engine/search/common/algorithm.h"
#include "engine/search/common/table.h"
#include "engine/search/proof/dfpn.h"

enum question { DRAW_OR_BETTER, WIN }; /* of Black's result */
enum answer { OPEN, YES, NO };

#define QUESTIONS   2
#define NUMBER_BITS 27
/* The answer is settled against this side; the other number is 0. */
#define NEVER       DFPN_NEVER
_Static_assert(NEVER == (1u << NUMBER_BITS) - 1, "it fills the bits of a number");

/* The question whether `side` wins. The other question is whether it does not lose. */
static inline enum question win_question(int side)
{
	return side == BLACK ? WIN : DRAW_OR_BETTER;
}

/* --- proof numbers --- */

struct numbers {
	uint32_t of[2]; /* indexed by side; both 0: unknown */
};

static inline bool is_known(struct numbers n)
{
	return n.of[BLACK] || n.of[WHITE];
}

static inline bool is_settled(struct numbers n)
{
	return n.of[BLACK] == NEVER || n.of[WHITE] == NEVER;
}

static inline struct numbers settled_for(int side)
{
	struct numbers n;
	n.of[side] = 0;
	n.of[side ^ 1] = NEVER;
	return n;
}

/* The numbers of a finished game. */
static inline struct numbers final_numbers(int score, enum question q)
{
	return settled_for(score_sign(score) >= (q == WIN ? 1 : 0) ? BLACK : WHITE);
}

/* --- what both proof-number searches know of a position --- */

/* Estimates the numbers of a position that is not in the table. If the side to move can win at once or has
 * no safe step, or if a rule of the game decides, both questions are settled. `may_win` false: the caller knows that it
 * cannot win at once. `has_final`: positions of the record may end the game, so a step that is not safe may do so.
 * Otherwise the other side's number grows with the square of the number of steps; it is halved if the side
 * must parry a threat. A pending state gets 1 and 1. */
struct numbers initial_numbers(const struct game *, const struct state *, bool may_win,
			       bool has_final);

struct knowledge {
	bool is_root;
	bool no_win;    /* the side to move cannot win at once */
	bool has_final; /* positions of the record may end the game */
	int forced;     /* work of the game's search for forced wins, 0: none */
};

/* Lists the steps of a position that may be worth a search. Returns their number. *won: the only step listed wins by
 * force. *winner: 1 Black, -1 White; 0: the game does not know it. */
int proof_steps(const struct game *, const struct state *, struct knowledge, move_t *steps,
		bool *won, int *winner);

/* Rates a position for `side`, who made the move to it: RATING_WIN at least for a proven win, RATING_DRAW at least for a
 * position proven not to be lost, below 0 for a proven loss, whose rating grows with the effort of its proof. An open
 * position, 0 .. 2, is rated by the other side's share of the numbers, summed over both questions. Numbers may be unknown. */
#define RATING_WIN  20.0
#define RATING_DRAW 10.0
#define RATING_LOSS (-100.0)
double numbers_rating(const struct numbers n[QUESTIONS], int side, unsigned effort);

/* Converts a proof number to that of a report. */
static inline uint64_t report_number(uint32_t number)
{
	return number == NEVER ? PROOF_NEVER : number;
}

/* --- entries of the transposition table ---
 *
 * An entry has a word for each question: its numbers, the effort (log2 of expanded nodes) and the age of the
 * search that wrote it. */

#define EFFORT_BITS  6
#define AGE_BITS     3
#define EFFORT_SHIFT (2 * NUMBER_BITS)
#define AGE_SHIFT    (EFFORT_SHIFT + EFFORT_BITS)
#define AGES         (1u << AGE_BITS)
_Static_assert(AGE_SHIFT + AGE_BITS == 63, "the highest bit is TABLE_WHITE");

static inline struct numbers word_numbers(uint64_t word)
{
	return (struct numbers) { { word & NEVER, word >> NUMBER_BITS & NEVER } };
}

static inline unsigned word_effort(uint64_t word)
{
	return word >> EFFORT_SHIFT & ((1u << EFFORT_BITS) - 1);
}

static inline unsigned word_age(uint64_t word)
{
	return word >> AGE_SHIFT & (AGES - 1);
}

/* Reads the words of a position; all 0 if it is not in the table. */
static inline void entry_find(const struct table *t, const struct state *s,
			      uint64_t word[QUESTIONS])
{
	table_find(t, QUESTIONS, s, word);
}

/* Reads the numbers of a question from an entry. The other question may imply the answer: a win is at least a
 * draw, and a loss is no win. */
static inline struct numbers entry_numbers(const uint64_t word[QUESTIONS], enum question q)
{
	struct numbers other = word_numbers(word[q ^ 1]);
	return other.of[q == WIN ? BLACK : WHITE] == NEVER ? other : word_numbers(word[q]);
}

static inline struct numbers numbers_find(const struct table *t, const struct state *s,
					  enum question q)
{
	uint64_t word[QUESTIONS];
	entry_find(t, s, word);
	return entry_numbers(word, q);
}

/* Stores the numbers of a question. `nodes` is the effort; the effort of an entry never falls. */
void numbers_store(const struct table *, const struct state *, enum question, struct numbers,
		   uint64_t nodes);

/* --- the search object --- */

/* Number of counters of workers. 16 bits of a position's hash select its counter, its place. */
#define PLACES (UINT16_MAX + 1)

struct dfpn {
	const struct task *task;
	/* Where repetition matters: the hash of the positions up to the root, and the root's key. */
	uint64_t past, key;
	/* Where repetition is a draw: the hash of the positions that end the game when they occur once more; 0: none. */
	uint64_t final;
	struct table table;
	_Atomic int answer[QUESTIONS]; /* enum answer, for the position to search */
	/* The move that settles a question in favor of the side to move. Only the worker that sets
	 * `claimed` writes it, before it publishes the answer. */
	struct move proof[QUESTIONS];
	atomic_bool claimed[QUESTIONS];
	_Atomic uint64_t nodes; /* without the running claim of each worker */
	/* Number of workers below the positions of a place. Different positions may share a place; the
	 * only effect is a detour. */
	_Atomic uint8_t inside[PLACES];
};

/* The numbers of the question whether the side to move wins, from the children of the position to search. */
struct numbers dfpn_root_numbers(struct dfpn *);

/* Reads the words of the root or of a position after one move. Where repetition matters, the words of later
 * positions settle less than is known. */
void dfpn_entry(const struct dfpn *, const struct state *, uint64_t word[QUESTIONS]);

/* The functions `report` and `look` of algorithm_dfpn. */
void dfpn_report(void *self, struct report *);
void dfpn_look(const void *self, const struct record *, struct kept *);

#endif
