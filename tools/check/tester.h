/* SPDX-License-Identifier: MIT
 *
 * A tester plays games against the engine over pipes or over a socket of the server. It keeps its own record of
 * the game; every answer must agree with it. The first failure of a game is printed on stderr.
 *
 * Threads: each tester is a thread of its own. struct soak is constant while they play.
 */
#ifndef TOOLS_CHECK_TESTER_H
#define TOOLS_CHECK_TESTER_H

#include <pthread.h>
#include <semaphore.h>

#include "engine/base/format.h"
#include "engine/rules/record.h"
#include "tools/lib/connection.h"
#include "tools/lib/series.h"

#define SOAK_PATIENCE 60.0 /* time limit in seconds for any answer or for the end of a process */

/* A run. */
struct soak {
	int games, first; /* number of games, and of the first one */
	int seed;
	int time;   /* of a move, in milliseconds */
	int late;   /* milliseconds that an answer may be late beyond what the machine explains */
	int growth; /* KiB that a process may grow after the first quarter of the games, 0: any */
	const char *engine;
	int64_t started; /* clock_now() */
	struct connection server;
	int port;    /* of the server */
	sem_t slots; /* limits the testers that act at the same time to the number of processors */
};

struct late {
	int game, second; /* second since the start */
	double ms;
};

struct tester {
	pthread_t thread;
	struct soak *soak;
	int number;
	bool on_socket;
	struct connection connection;
	bool is_open;
	int id; /* number of the last command */

	int game; /* number of the current game */
	struct rng rng;
	struct record record;
	bool plays[2];      /* the sides that the engine plays */
	const char *search; /* settings of the engine */
	int threads;
	bool failed;

	struct series delays; /* milliseconds late */
	struct late *lates;   /* delays above the limit */
	int late_count;
	struct series memory; /* of the engine in KiB after each game; testers 0 and 1 only */
};

extern const char *const tester_colors[]; /* as GTP commands name them */

/* Fails the game with a message, unless it has failed already. Returns false. */
__attribute__((format(PRINTF, 2, 3))) bool tester_fail(struct tester *, const char *format, ...);

/* All functions below that return bool fail the game and return false if the engine does not do as it
 * should. */

bool tester_send_bytes(struct tester *, const char *bytes, size_t n);

/* Sends a command with the next id. */
__attribute__((format(PRINTF, 2, 3))) bool tester_send(struct tester *, const char *format, ...);

/* Returns the text of the answer to command `id`, where `mark` is = or ?. Returns NULL and fails the game
 * if it does not come. */
char *tester_receive(struct tester *, int id, char mark);

/* Receives a success that must have this text. */
bool tester_receive_text(struct tester *, int id, const char *expected);

/* Sends a command whose answer must be `answer`. */
__attribute__((format(PRINTF, 3, 4))) bool tester_expect(struct tester *, const char *answer,
							 const char *format, ...);

/* Receives the end of the connection. */
bool tester_receive_end(struct tester *);

/* Checks that the engine has the same position. */
bool tester_check_board(struct tester *);

/* Plays the move that the engine reports in the record. */
bool tester_take_move(struct tester *, const char *text);

/* Records the delay of an answer that was due at `due`. */
void tester_note_delay(struct tester *, int64_t due);

/* Lets the engine move; plays a random move and sends it. */
bool tester_genmove(struct tester *);
bool tester_make_move(struct tester *);

/* Send settings: the time per move; the search and its number of threads. */
bool tester_set_time(struct tester *);
bool tester_set_search(struct tester *);

/* Chooses a search and a number of threads at random. */
void tester_choose_search(struct tester *);

/* Opens the connection if it is closed, and leads the engine to the current position of the game. */
bool tester_set_up(struct tester *);

/* Waits for the end of the connection, then starts a new one. A process must end with this exit status
 * (connection_wait). */
bool tester_check_end(struct tester *, int expected);

/* Closes the connection and ends its process, if it is open. */
void tester_close(struct tester *);

/* Sleeps for a random time below this number of microseconds. */
void tester_pause(struct tester *, uint32_t microseconds);

#endif
