/* SPDX-License-Identifier: MIT
 *
 * The record of a game: its rules, its first position and the whole moves made since. Its position is never
 * pending. A search gets no message when the record changes; it compares the record with the position that
 * it searched last. A record has no lock: while a search runs it must not change.
 *
 * A client may leave out a forced pass. The record then adds the pass, marked `implied`, before the next move
 * of the other side. In games with set_turn it adds MOVE_TURN instead: the turn changes, or an ended game goes
 * on. Undo takes back both.
 *
 * A position may also be set up in the middle of a record, MOVE_SETUP. Positions before it may occur again after it.
 *
 * The record knows which positions have occurred. Where a position must not repeat (repetition.key), use
 * record_moves(), record_is_legal() and record_parse(), not the functions of engine/rules/game.h. Where repetition is a draw
 * (repetition.limit), the record ends the game: `now` is over, and record_state() and record_replay() say so too. If a
 * move follows such a draw in a game with set_turn, the game has gone on and the draw was none.
 */
#ifndef ENGINE_RULES_RECORD_H
#define ENGINE_RULES_RECORD_H

#include "engine/rules/game.h"

struct record_move {
	struct move
		move; /* step[0] is MOVE_PASS for a pass after the end, or one of those that no side makes */
	uint8_t side; /* the side that made it, or had the turn */
	bool implied;
	int setup; /* MOVE_SETUP: the index of its position in `setups` */
};

/* Returns true if a side made the move. A pass is a move. */
static inline bool record_is_play(const struct record_move *m)
{
	move_t step = m->move.step[0];
	return step != MOVE_TURN && step != MOVE_SIDES && step != MOVE_SETUP;
}

struct record {
	const struct game *game;
	struct state start; /* before the first move */
	struct state now;   /* after the last move */
	struct record_move *moves;
	int count, room;
	struct state *setups; /* the positions that are set up, in the order of the moves */
	int setup_count;
	int drawn_after; /* the number of moves after which a repetition ended the game; 0: none did */
	/* The keys of all positions so far, as a hash set of 2^n places; 0: free. Where repetitions count, each
	 * occurrence of a position has a key. */
	uint64_t *keys;
	size_t key_places, key_count;
	uint64_t past; /* record_past() of the positions before the start */
};

/* Starts a record at the normal start of a game. record_free() frees its memory. */
void record_init(struct record *, const struct game *);
void record_free(struct record *);

/* Copies `from` to `to`, which must be initialized. */
void record_copy(struct record *to, const struct record *from);

/* Returns true if a record begins with the whole of another one: the same board of the same game, the same position, and all of
 * its moves by the same sides. Komi and rules may differ. */
bool record_begins_with(const struct record *, const struct record *beginning);

/* Returns true if the record begins at the normal start of its game, with any komi, with or without the swap. */
bool record_begins_normally(const struct record *);

/* Removes all moves and starts again: at the normal start of a game, or at a position of the
 * record's game. At the normal start the swap is allowed, because records are of games that people play. */
void record_restart(struct record *, const struct game *);
void record_setup(struct record *, const struct state *start);

/* The same at a position, whose komi becomes that of the record. */
void record_setup_in_komi(struct record *, const struct state *start);

/* Starts again with the last position of another record in the rules of a goal (game.capture). The earlier positions
 * of that record still count as positions before the start. The new record must not be shortened. */
void record_begin_goal(struct record *, const struct record *from, const struct game *goal,
		       const struct state *start);

/* Sets the komi of the game. Returns false if it has none, or not this much. */
bool record_set_komi(struct record *, int half_points);

/* Plays the same game by the rules of another table of its size, also moves that only an earlier position forbids. A ko or
 * passes before the start are forgotten. Returns false, and changes nothing, if a move is illegal. */
bool record_change_rules(struct record *, const struct game *);

/* Allows or forbids the swap in this game (swap.allow). Does nothing if the game has no swap or has gone beyond it. */
void record_set_swap(struct record *, bool allowed);

/* Returns true if a position of the record has this key. No position has the key 0. */
bool record_has_key(const struct record *, uint64_t key);

/* Where positions must not repeat: returns true if a step leads from a state to a position of the record, or to one of
 * the `count` keys of the path from there to the state. */
bool record_repeats(const struct record *, const struct state *, move_t step, const uint64_t *keys,
		    int count);

/* Where repetition is a draw: returns how often the position with a key (repetition_key()) has occurred in the record. */
int record_occurrences(const struct record *, uint64_t key);

/* Ends the game in a state that may follow the record's last one, if its position would then occur too often. Without
 * repetition.limit it does nothing. */
void record_end_repeated(const struct record *, struct state *);

/* Returns a hash of the set of positions that end the game when they occur once more; 0: there are none. */
uint64_t record_final_positions(const struct record *);

/* The hash of a set of positions is the sum of these terms of their keys. */
static inline uint64_t past_term(uint64_t key)
{
	return rng_split(&key);
}

/* Returns a hash of the positions before move `index`, 0 .. count, and of how often they occurred; 0 if positions may
 * repeat. */
uint64_t record_past(const struct record *, int index);

/* Lists the legal moves of record->now, as game_moves() does, or counts them. Returns their number. */
int record_moves(const struct record *, struct move *);

/* Draws a legal move of record->now, which is not over. */
struct move record_draw(const struct record *, struct rng *);

/* Returns true if a whole move is legal now. No move is legal if the game is over. */
bool record_is_legal(const struct record *, struct move);

/* Reads a move of the side to move, as game_parse() does. MOVE_REPEATS: only an earlier position forbids the move; *m is
 * set. */
enum move_check record_parse(const struct record *, const char *text, struct move *);

/* Returns true if a text names a square, but its move is on another one, as a disc of Connect Four falls; `to` is the name of
 * that one. */
bool record_moves_on(const struct record *, const char *text, char to[MOVE_TEXT_MAX]);

/* Far more moves than a game can have. It limits the passes recorded after the end of a game. */
#define RECORD_MAX 4096

/* Appends a legal move of the side to move; or, if the game is over, MOVE_PASS by `side`. */
void record_play(struct record *, struct move);
void record_play_end_pass(struct record *, int side);

/* Appends the set-up of a position, which keeps the komi of the game. Returns false if there are RECORD_MAX
 * set-ups. */
bool record_play_setup(struct record *, const struct state *);

/* Appends a swap of sides. game_can_swap() must be true. White remains to move. */
void record_play_sides(struct record *);

/* Returns the number of moves before the position that was set up last, including that MOVE_SETUP; 0: there is none. */
int record_last_setup(const struct record *);

/* Gives the turn to `side`, if needed by an implied pass or turn of the other side. Returns true if `side` is
 * to move or the game is over, false if the other side must move first. The caller must then make a move or
 * call record_undo_implied(). */
bool record_give_turn(struct record *, int side);

/* The same, and an ended game goes on if the game has set_turn. */
bool record_resume(struct record *, int side);

/* Takes back an implied pass or turn if it is the last move. */
void record_undo_implied(struct record *);

/* Reads and plays a move of `side`, with an implied pass or turn if needed. Changes nothing unless it returns
 * MOVE_OK. */
enum move_check record_play_text(struct record *, int side, const char *text);

/* The same for a move of a game that others have played: plays the move if what it returns passes move_check_follows(). */
enum move_check record_follow_text(struct record *, int side, const char *text);

/* Takes back the last move, and an implied pass or turn before it. Returns false if there is no move. */
bool record_undo(struct record *);

/* Takes back this many moves in the same way. Changes nothing and returns false if there are fewer. */
bool record_undo_moves(struct record *, int moves);

/* Takes back all but the first `count` entries of `moves`; there must be so many. */
void record_shorten(struct record *, int count);

/* Makes move `index` of the record in the state before it. Where a side may pass, a pass after the end gives the turn to
 * the other side; else it changes nothing. */
void record_replay(const struct record *, int index, struct state *);

/* Takes the first `count` entries of `moves` out of the record, which then starts at the position after them. */
void record_start_at(struct record *, int count);

/* The state before move `index`, 0 .. count. */
void record_state(const struct record *, int index, struct state *);

#endif
