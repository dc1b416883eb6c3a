/* SPDX-License-Identifier: MIT
 *
 * match: two GTP engines play a series of games, judged by our own rules.
 *
 *     main thread     arguments, openings, signals; starts the slots and waits for them
 *     slot threads    each plays whole games with two engines of its own: takes the next game, sets it
 *                     up, asks the side to move, tells the other one, adds the result
 *
 * Everything that slots share stands in struct match behind its lock; a byte in the cancel pipe ends
 * every wait. An engine that fails loses the game and is started again for the next one.
 *
 * A forced pass is nobody's choice: the tool makes it and tells both engines, and an engine that
 * refuses to hear of passes is not told of them again, as some controllers never do.
 */
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <math.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "engine/clock.h"
#include "engine/memory.h"
#include "engine/record.h"
#include "games/games.h"
#include "protocol/gtp.h"
#include "tools/lib/client.h"
#include "tools/lib/results.h"

#define EXIT_USAGE       2
#define CONCURRENCY_MAX  256
#define TITLE_MAX        4096
#define OPENING_TRIES    1000
#define OPENING_SPARE    1000 /* openings drawn in vain before equal ones are taken */
#define PROGRESS_SECONDS 30   /* between lines that are not overwritten */

struct settings {
	const char *game_name, *rules, *openings_file, *output, *stderr_file;
	const char *command[2]; /* A's, B's */
	const struct game *game;
	int games, concurrency, opening_moves;
	bool fixed;       /* A is always Black */
	int seed;         /* 0: engines are not seeded */
	double move_time; /* seconds a move, 0: none */
	const char *clock_text;
	int main_time, period, stones; /* when there is a clock_text */
	double timeout;
};

struct opening {
	struct move *moves;
	int count;
};

struct player {
	struct client client;
	bool takes_passes;
};

struct match {
	struct settings settings;
	struct opening *openings;
	int opening_count;
	int stderr_fd, cancel_fd;
	int64_t start;
	bool terminal; /* stderr is one */

	pthread_mutex_t lock; /* of what follows */
	struct results *results;
	int next;    /* game to look at next */
	int before;  /* games that stood in the file */
	bool failed; /* results could not be written */
	int64_t spoken;
};

struct slot {
	pthread_t thread;
	struct match *match;
	struct player players[2];
};

/* One game being played. */
struct round {
	struct match *match;
	struct player *players;
	int color; /* A's */
	uint64_t seeds[2];
	struct record record;
	struct clock clock;
	FILE *moves, *seconds[2];
	int loser; /* player who resigned or failed, or -1 */
	enum end end;
	char detail[CLIENT_REASON_MAX + 64];
	bool cancelled;
};

static int cancel_pipe[2];
static atomic_int caught;

/* Ends all waiting for engines; async-signal-safe. */
static void cancel(void)
{
	/* A full pipe says the same. */
	(void)!write(cancel_pipe[1], "", 1);
}

static void on_signal(int number)
{
	int error = errno;
	atomic_store(&caught, number);
	cancel();
	errno = error;
}

static const char *color_name(int color)
{
	return color == BLACK ? "black" : "white";
}

/* --- openings --- */

/* Plays random moves from the start; false: the game ended. */
static bool draw_moves(const struct game *g, int count, struct rng *rng, struct opening *o,
		       struct state *s)
{
	struct move moves[GAME_MOVES_MAX];
	g->start(s);
	for (o->count = 0; o->count < count && !s->over; o->count++) {
		int n = game_moves(g, s, moves);
		o->moves[o->count] = moves[rng_below(rng, (uint32_t)n)];
		game_play(g, s, o->moves[o->count]);
	}
	return !s->over;
}

/* Draws an opening and the state that it leads to; false: none was found that leaves a game. */
static bool draw_opening(const struct game *g, int count, struct rng *rng, struct opening *o,
			 struct state *s)
{
	o->moves = xcalloc((size_t)count + 1, sizeof *o->moves);
	for (int tries = 0; tries < OPENING_TRIES; tries++)
		if (draw_moves(g, count, rng, o, s))
			return true;
	return false;
}

static bool is_listed(const uint64_t *list, int count, uint64_t hash)
{
	for (int i = 0; i < count; i++)
		if (list[i] == hash)
			return true;
	return false;
}

/* Draws all openings. They differ as long as different ones are easily found, and are the same for
 * every length of match. */
static bool draw_openings(struct match *m, int count)
{
	const struct game *g = m->settings.game;
	int length = m->settings.opening_moves, spare = OPENING_SPARE;
	uint64_t *hashes = xcalloc((size_t)count, sizeof *hashes);
	struct rng rng;
	bool found = true;
	rng_seed(&rng, (uint64_t)m->settings.seed);
	m->openings = xcalloc((size_t)count, sizeof *m->openings);
	while (found && m->opening_count < count) {
		struct opening *o = &m->openings[m->opening_count];
		struct state s;
		found = draw_opening(g, length, &rng, o, &s);
		if (is_listed(hashes, m->opening_count, s.hash) && spare-- > 0)
			free(o->moves);
		else
			hashes[m->opening_count++] = s.hash;
	}
	free(hashes);
	if (!found)
		fprintf(stderr, "match: games end within openings of %d moves\n", length);
	return found;
}

/* Takes one move off a text of moves, which blanks may separate; NULL: it begins with none. */
static const char *take_move(const struct game *g, const struct state *s, const char *text,
			     struct move *move)
{
	char word[MOVE_TEXT_MAX];
	size_t length = strcspn(text, " \t");
	if (length >= sizeof word)
		length = sizeof word - 1;
	for (; length; length--) {
		snprintf(word, sizeof word, "%.*s", (int)length, text);
		if (game_parse(g, s, word, move) == MOVE_OK)
			return text + length;
	}
	return NULL;
}

static bool parse_opening(const struct game *g, const char *text, struct opening *o)
{
	struct state s;
	size_t room = strlen(text) + 1;
	*o = (struct opening) { .moves = xcalloc(room, sizeof *o->moves) };
	g->start(&s);
	for (text += strspn(text, " \t"); *text; text += strspn(text, " \t")) {
		text = s.over ? NULL : take_move(g, &s, text, &o->moves[o->count]);
		if (!text)
			return false;
		game_play(g, &s, o->moves[o->count++]);
	}
	return !s.over;
}

/* Reads a file of one opening a line; blank lines and lines that begin with # are skipped. */
static bool read_openings(struct match *m, const char *path)
{
	char *line = NULL;
	size_t room = 0;
	bool good = true;
	FILE *f = fopen(path, "re");
	if (!f) {
		fprintf(stderr, "match: %s: %s\n", path, strerror(errno));
		return false;
	}
	for (int number = 1; good && getline(&line, &room, f) > 0; number++) {
		line[strcspn(line, "\r\n")] = '\0';
		if (*line == '#' || line[strspn(line, " \t")] == '\0')
			continue;
		size_t size = (size_t)(m->opening_count + 1) * sizeof *m->openings;
		m->openings = xrealloc(m->openings, size);
		good = parse_opening(m->settings.game, line, &m->openings[m->opening_count++]);
		if (!good)
			fprintf(stderr, "match: %s: line %d: no opening of legal moves\n", path,
				number);
	}
	free(line);
	fclose(f);
	if (good && m->opening_count == 0) {
		fprintf(stderr, "match: %s: no openings\n", path);
		good = false;
	}
	return good;
}

static void free_openings(struct match *m)
{
	for (int i = 0; i < m->opening_count; i++)
		free(m->openings[i].moves);
	free(m->openings);
}

/* --- one game --- */

/* Ends the game by a failure of a player, who is started again for the next one. */
__attribute__((format(printf, 4, 5))) static bool lose(struct round *r, int player, enum end end,
						       const char *format, ...)
{
	va_list args;
	va_start(args, format);
	vsnprintf(r->detail, sizeof r->detail, format, args);
	va_end(args);
	for (char *c = r->detail; *c; c++)
		if ((unsigned char)*c < ' ')
			*c = ' ';
	r->loser = player;
	r->end = end;
	if (end > END_TIME)
		client_kill(&r->players[player].client);
	return false;
}

/* Judges an answer that is neither yes nor no. */
static bool lose_by_answer(struct round *r, int player, enum answer answer, const char *command)
{
	static const enum end ends[] = {
		[ANSWER_GARBAGE] = END_GARBAGE,
		[ANSWER_LATE] = END_HUNG,
		[ANSWER_DIED] = END_DIED,
		[ANSWER_CANCELLED] = END_DIED,
	};
	r->cancelled |= answer == ANSWER_CANCELLED;
	return lose(r, player, ends[answer], "%s: %s", command, r->players[player].client.reason);
}

/* Sends a command that must be answered yes; false: the game is lost. */
__attribute__((format(printf, 3, 4))) static bool tell(struct round *r, int player,
						       const char *format, ...)
{
	char command[256];
	va_list args;
	struct client *c = &r->players[player].client;
	va_start(args, format);
	vsnprintf(command, sizeof command, format, args);
	va_end(args);
	enum answer answer = client_ask(c, r->match->settings.timeout, "%s", command);
	if (answer == ANSWER_NO)
		return lose(r, player, END_REFUSED, "%s: %.*s", command, CLIENT_REASON_MAX - 1,
			    c->text);
	return answer == ANSWER_YES || lose_by_answer(r, player, answer, command);
}

static bool knows(struct round *r, int player, const char *command)
{
	return client_knows(&r->players[player].client, r->match->settings.timeout, command);
}

/* Starts a player's engine unless it runs. */
static bool start_player(struct round *r, int player)
{
	const struct settings *o = &r->match->settings;
	struct player *p = &r->players[player];
	if (p->client.pid)
		return true;
	p->takes_passes = true;
	if (!client_start(&p->client, o->command[player], r->match->stderr_fd, r->match->cancel_fd))
		return lose(r, player, END_DIED, "%s", p->client.reason);
	enum answer answer = client_learn(&p->client, o->timeout);
	return answer <= ANSWER_NO || lose_by_answer(r, player, answer, "list_commands");
}

static bool set_time(struct round *r, int player)
{
	const struct settings *o = &r->match->settings;
	if (o->clock_text)
		return !knows(r, player, "time_settings") ||
		       tell(r, player, "time_settings %d %d %d", o->main_time, o->period,
			    o->stones);
	if (o->move_time == 0)
		return true;
	if (knows(r, player, "set_time"))
		return tell(r, player, "set_time %g", o->move_time);
	return !knows(r, player, "time_settings") ||
	       tell(r, player, "time_settings 0 %.0f 1", ceil(o->move_time));
}

/* Makes a player ready for a new game. */
static bool set_up(struct round *r, int player)
{
	const struct settings *o = &r->match->settings;
	const struct game *g = o->game;
	bool usual = g == game_find(g->name, NULL);
	return start_player(r, player) &&
	       (!knows(r, player, "set_game") || tell(r, player, "set_game %s", g->title)) &&
	       (usual || !knows(r, player, "param") ||
		tell(r, player, "param rules %s", g->rules)) &&
	       tell(r, player, "boardsize %d", g->cols) && tell(r, player, "clear_board") &&
	       (!o->seed || !knows(r, player, "set_random_seed") ||
		tell(r, player, "set_random_seed %llu", (unsigned long long)r->seeds[player])) &&
	       set_time(r, player);
}

/* Writes down the last move and tells a player, or both, of it. `before` is the state it was made in;
 * `mover` needs not be told, -1: nobody knows. */
static bool announce(struct round *r, const struct state *before, int mover)
{
	char text[MOVE_TEXT_MAX];
	const struct record_move *last = &r->record.moves[r->record.count - 1];
	bool good = true;
	game_format(r->record.game, before, last->move, text);
	fprintf(r->moves, "%s%s", r->record.count > 1 ? " " : "", text);
	for (int i = 0; good && i < 2 && !r->record.now.over; i++)
		if (i != mover)
			good = tell(r, i, "play %s %s", color_name(last->side), text);
	return good;
}

/* Makes a forced pass. */
static bool play_pass(struct round *r)
{
	struct record *record = &r->record;
	int color = record->now.side;
	record_play(record, move_single(record->game->pass));
	fputs(record->count > 1 ? " PASS" : "PASS", r->moves);
	for (int i = 0; i < 2; i++) {
		struct player *p = &r->players[i];
		if (!p->takes_passes)
			continue;
		enum answer answer = client_ask(&p->client, r->match->settings.timeout,
						"play %s pass", color_name(color));
		if (answer > ANSWER_NO)
			return lose_by_answer(r, i, answer, "play pass");
		p->takes_passes = answer == ANSWER_YES;
	}
	return true;
}

static bool play_opening(struct round *r, const struct opening *o)
{
	const struct game *g = r->record.game;
	for (int i = 0; i < o->count; i++) {
		struct state before = r->record.now;
		if (game_must_pass(g, &before)) {
			if (!play_pass(r))
				return false;
			continue;
		}
		record_play(&r->record, o->moves[i]);
		if (!announce(r, &before, -1))
			return false;
	}
	return true;
}

/* Nanoseconds that a side may still use for one move before its flag falls. */
static int64_t time_to_flag(const struct clock *c, int color)
{
	int64_t left = c->side[color].left;
	return c->side[color].stones || !c->period_stones ? left : left + c->period;
}

/* Tells a player what its clock shows. */
static bool tell_time(struct round *r, int player, int color)
{
	bool used = r->match->settings.clock_text && knows(r, player, "time_left");
	return !used ||
	       tell(r, player, "time_left %s %d %d", color_name(color),
		    (int)(r->clock.side[color].left / 1000000000), r->clock.side[color].stones);
}

/* Asks the side to move for its move. */
static bool play_move(struct round *r)
{
	const struct settings *o = &r->match->settings;
	struct state before = r->record.now;
	int color = before.side, player = color == r->color ? 0 : 1;
	struct client *c = &r->players[player].client;
	int64_t flag = o->clock_text ? time_to_flag(&r->clock, color) : TIME_NEVER;
	double budget = o->clock_text ? (double)flag / 1e9 : o->move_time;

	if (!tell_time(r, player, color))
		return false;
	int64_t start = clock_now();
	enum answer answer = client_ask(c, budget + o->timeout, "genmove %s", color_name(color));
	int64_t used = clock_now() - start;
	if (answer == ANSWER_NO)
		return lose(r, player, END_REFUSED, "genmove: %.*s", CLIENT_REASON_MAX - 1,
			    c->text);
	if (answer != ANSWER_YES)
		return lose_by_answer(r, player, answer, "genmove");
	fprintf(r->seconds[player], "%s%.3f", ftell(r->seconds[player]) ? " " : "",
		(double)used / 1e9);
	if (used > flag)
		return lose(r, player, END_TIME, "%.3f s too late", (double)(used - flag) / 1e9);
	clock_spend(&r->clock, color, used);

	if (strcasecmp(c->text, "resign") == 0)
		return lose(r, player, END_RESIGN, "resign");
	switch (record_play_text(&r->record, color, c->text)) {
	case MOVE_MALFORMED:
		return lose(r, player, END_GARBAGE, "genmove: %.*s", CLIENT_REASON_MAX - 1,
			    c->text);
	case MOVE_ILLEGAL:
		return lose(r, player, END_ILLEGAL, "%.*s", CLIENT_REASON_MAX - 1, c->text);
	case MOVE_OK:
		break;
	}
	return announce(r, &before, player);
}

/* Halves of a point that A has won. */
static int points_of_a(const struct round *r)
{
	if (r->loser >= 0)
		return r->loser == 0 ? 0 : 2;
	int sign = score_sign(r->record.now.score);
	return 1 + (r->color == BLACK ? sign : -sign);
}

static void describe_score(struct round *r)
{
	int score = r->record.now.score;
	snprintf(r->detail, sizeof r->detail, score ? "%c+%d" : "0", score > 0 ? 'B' : 'W',
		 abs(score));
}

static void round_init(struct round *r, struct slot *slot, int game)
{
	const struct settings *o = &slot->match->settings;
	uint64_t stream = (uint64_t)o->seed << 32 ^ (uint64_t)game;
	*r = (struct round) {
		.match = slot->match,
		.players = slot->players,
		.color = o->fixed || game % 2 ? BLACK : WHITE,
		.loser = -1,
	};
	for (int i = 0; i < 2; i++)
		r->seeds[i] = 1 + rng_split(&stream) % (GTP_INT_MAX - 1);
	record_init(&r->record, o->game);
	clock_init(&r->clock);
	if (o->clock_text)
		clock_set_game(&r->clock, o->main_time, o->period, o->stones);
}

static int opening_of(const struct settings *o, int game)
{
	return o->fixed ? game : (game + 1) / 2;
}

/* --- the match --- */

static void show_progress(struct match *m)
{
	const struct settings *o = &m->settings;
	struct interval s = results_interval(m->results);
	int won, drawn, lost, played = results_games(m->results);
	int64_t now = clock_now();
	if (!m->terminal && now - m->spoken < (int64_t)PROGRESS_SECONDS * 1000000000)
		return;
	m->spoken = now;
	results_count(m->results, &won, &drawn, &lost);
	double each = (double)(now - m->start) / 1e9 / (played - m->before);
	long left = lround(each * (o->games - played));
	fprintf(stderr,
		"%s%d/%d games, A %d-%d-%d, Elo %+.0f (%+.0f .. %+.0f), %ld:%02ld:%02ld left%s",
		m->terminal ? "\r\033[K" : "", played, o->games, won, drawn, lost,
		score_elo(s.mean), score_elo(s.low), score_elo(s.high), left / 3600, left / 60 % 60,
		left % 60, m->terminal ? "" : "\n");
}

/* The next game that is not played yet, 0: there is none. */
static int next_game(struct match *m)
{
	int game = 0;
	pthread_mutex_lock(&m->lock);
	while (!m->failed && game == 0 && m->next <= m->settings.games) {
		if (!results_has(m->results, m->next))
			game = m->next;
		m->next++;
	}
	pthread_mutex_unlock(&m->lock);
	return atomic_load(&caught) ? 0 : game;
}

static void add_result(struct match *m, const struct result *x)
{
	pthread_mutex_lock(&m->lock);
	if (!m->failed && !results_add(m->results, x)) {
		fprintf(stderr, "match: %s: %s\n", m->settings.output, strerror(errno));
		m->failed = true;
		cancel();
	}
	show_progress(m);
	pthread_mutex_unlock(&m->lock);
}

/* Plays a game and adds its result, unless it was cancelled. */
static void play_game(struct slot *slot, int game)
{
	struct match *m = slot->match;
	const struct settings *o = &m->settings;
	int opening = opening_of(o, game);
	char *moves, *seconds[2], seeds[64] = "-";
	size_t size;
	struct round r;
	round_init(&r, slot, game);
	r.moves = open_memstream(&moves, &size);
	r.seconds[0] = open_memstream(&seconds[0], &size);
	r.seconds[1] = open_memstream(&seconds[1], &size);

	bool good = set_up(&r, 0) && set_up(&r, 1) &&
		    play_opening(&r, &m->openings[(opening - 1) % m->opening_count]);
	while (good && !r.record.now.over)
		good = game_must_pass(o->game, &r.record.now) ? play_pass(&r) : play_move(&r);

	if (r.loser < 0)
		describe_score(&r);
	if (o->seed)
		snprintf(seeds, sizeof seeds, "%llu %llu", (unsigned long long)r.seeds[0],
			 (unsigned long long)r.seeds[1]);
	fclose(r.moves);
	fclose(r.seconds[0]);
	fclose(r.seconds[1]);
	if (!r.cancelled)
		add_result(m, &(struct result) {
				      .game = game,
				      .opening = opening,
				      .color = r.color,
				      .points = points_of_a(&r),
				      .end = r.end,
				      .detail = r.detail,
				      .moves = moves,
				      .seconds = { seconds[0], seconds[1] },
				      .seeds = seeds,
			      });
	free(moves);
	free(seconds[0]);
	free(seconds[1]);
	record_free(&r.record);
}

static void *run_slot(void *arg)
{
	struct slot *slot = arg;
	int game;
	while ((game = next_game(slot->match)))
		play_game(slot, game);
	client_quit(&slot->players[0].client);
	client_quit(&slot->players[1].client);
	return NULL;
}

/* Whether both engines start and can be set up: what fails here would fail in every game. */
static bool try_players(struct slot *slot)
{
	struct round r;
	round_init(&r, slot, 1);
	bool good = set_up(&r, 0) && set_up(&r, 1);
	if (!good && !r.cancelled)
		fprintf(stderr, "match: engine %c: %s\n", 'A' + r.loser, r.detail);
	record_free(&r.record);
	return good;
}

/* Plays all games that are not played yet. Returns the exit status. */
static int play_games(struct match *m)
{
	int count = m->settings.concurrency, started = 0, status = 0;
	struct slot *slots = xcalloc((size_t)count, sizeof *slots);
	sigset_t all, old;
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &old);
	for (int i = 0; i < count; i++)
		slots[i].match = m;
	m->start = m->spoken = clock_now();
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	if (!try_players(&slots[0]))
		status = EXIT_USAGE;
	pthread_sigmask(SIG_SETMASK, &all, NULL);
	while (status == 0 && started < count) {
		if (pthread_create(&slots[started].thread, NULL, run_slot, &slots[started]) != 0) {
			fputs("match: no more threads\n", stderr);
			break;
		}
		started++;
	}
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	for (int i = 0; i < started; i++)
		pthread_join(slots[i].thread, NULL);
	if (started == 0) {
		client_quit(&slots[0].players[0].client);
		client_quit(&slots[0].players[1].client);
		status = EXIT_USAGE;
	}
	free(slots);
	if (m->failed)
		status = EXIT_USAGE;
	return atomic_load(&caught) ? 128 + atomic_load(&caught) : status;
}

/* What must be equal for games to belong to one match. */
static void describe_match(const struct settings *o, char title[TITLE_MAX])
{
	char budget[64] = "the engines' own", openings[256];
	if (o->clock_text)
		snprintf(budget, sizeof budget, "clock %s", o->clock_text);
	else if (o->move_time > 0)
		snprintf(budget, sizeof budget, "%g s a move", o->move_time);
	if (o->openings_file)
		snprintf(openings, sizeof openings, "%s", o->openings_file);
	else
		snprintf(openings, sizeof openings, "%d random moves", o->opening_moves);
	snprintf(title, TITLE_MAX,
		 "# match of %s (%s)\tcolors %s\topenings %s\tseed %d\ttime %s\tA %s\tB %s",
		 o->game->name, o->game->rules, o->fixed ? "fixed" : "both", openings, o->seed,
		 budget, o->command[0], o->command[1]);
}

static void watch_signals(void)
{
	struct sigaction action = { .sa_handler = on_signal, .sa_flags = SA_RESTART };
	if (pipe2(cancel_pipe, O_CLOEXEC | O_NONBLOCK) != 0) {
		perror("match: pipe");
		exit(EXIT_USAGE);
	}
	sigaction(SIGINT, &action, NULL);
	sigaction(SIGTERM, &action, NULL);
	sigaction(SIGHUP, &action, NULL);
	signal(SIGPIPE, SIG_IGN);
}

static int run_match(struct match *m)
{
	const struct settings *o = &m->settings;
	char title[TITLE_MAX], why[RESULTS_REASON_MAX];
	int status = 0;
	const char *stderr_path = o->stderr_file ? o->stderr_file : "/dev/null";
	m->stderr_fd = open(stderr_path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
	if (m->stderr_fd < 0) {
		fprintf(stderr, "match: %s: %s\n", stderr_path, strerror(errno));
		return EXIT_USAGE;
	}
	describe_match(o, title);
	m->results = results_open(o->output, title, why);
	if (!m->results) {
		fprintf(stderr, "match: %s\n", why);
		close(m->stderr_fd);
		return EXIT_USAGE;
	}
	watch_signals();
	m->cancel_fd = cancel_pipe[0];
	m->terminal = isatty(STDERR_FILENO);
	m->next = 1;
	m->before = results_games(m->results);
	if (m->before < o->games)
		status = play_games(m);
	if (m->terminal && results_games(m->results) > m->before)
		fputs("\n", stderr);
	if (status != EXIT_USAGE || results_games(m->results)) {
		for (const char *c = title + strlen("# "); *c; c++)
			putchar(*c == '\t' ? '\n' : *c);
		putchar('\n');
		results_summary(m->results, stdout);
	}
	if (!results_close(m->results) || fflush(stdout) != 0) {
		fputs("match: the results could not be written to the end\n", stderr);
		status = EXIT_USAGE;
	}
	close(m->stderr_fd);
	return status;
}

static int print_score(const char *path)
{
	char why[RESULTS_REASON_MAX];
	struct results *r = results_read(path, why);
	if (!r) {
		fprintf(stderr, "match: %s\n", why);
		return EXIT_USAGE;
	}
	results_line(r, stdout);
	results_close(r);
	return fflush(stdout) == 0 ? 0 : EXIT_USAGE;
}

/* --- arguments --- */

static const char help[] =
	"Usage: match [OPTION...] 'COMMAND A' 'COMMAND B'\n"
	"       match --score FILE\n"
	"Plays a match of two GTP engines, each started by the shell, and prints A's score.\n"
	"\n"
	"  --game=NAME            the game (othello)\n"
	"  --rules=NAME           its rule set (the game's usual one)\n"
	"  --games=N              games to play, whole pairs of them (100)\n"
	"  --concurrency=N        games at a time (1)\n"
	"  --colours=both|fixed   each opening twice with colours exchanged, or A always first "
	"(both)\n"
	"  --opening-moves=N      random moves before the engines choose (6; 0 with fixed "
	"colours)\n"
	"  --openings=FILE        openings instead: one a line, moves as words or in one word\n"
	"  --seed=N               chooses the openings, and the engines' seeds by "
	"set_random_seed;\n"
	"                         0 (the usual one) leaves the engines unseeded\n"
	"  --time=SECONDS         time a move, by set_time or else time_settings\n"
	"  --clock=MAIN[+PERIOD/STONES]   a game clock in seconds; who oversteps it loses\n"
	"  --timeout=SECONDS      patience beyond these times, and with other commands (60)\n"
	"  --output=FILE          append results as games end; go on with those that are missing\n"
	"  --stderr=FILE          append what the engines write to stderr (/dev/null)\n"
	"  --score=FILE           print games, won, drawn, lost, score, its 95 % interval, "
	"forfeits\n"
	"                         of A and of B of a results file\n"
	"Without --time and --clock the engines use their own limits.\n";

__attribute__((format(printf, 1, 2))) static bool complain(const char *format, ...)
{
	va_list args;
	va_start(args, format);
	fputs("match: ", stderr);
	vfprintf(stderr, format, args);
	fputs("; see match --help\n", stderr);
	va_end(args);
	return false;
}

static bool read_int(const char *name, const char *text, int min, int max, int *out)
{
	return (gtp_int(text, out) && *out >= min && *out <= max) ||
	       complain("--%s wants a number from %d to %d, not %s", name, min, max, text);
}

static bool read_seconds(const char *name, const char *text, double *out)
{
	return (gtp_real(text, out) && *out > 0 && *out <= 1e6) ||
	       complain("--%s wants seconds above 0, not %s", name, text);
}

/* Reads MAIN[+PERIOD/STONES]. */
static bool read_clock(struct settings *o, const char *text)
{
	char copy[64], *rest = copy;
	snprintf(copy, sizeof copy, "%s", text);
	const char *main_time = strsep(&rest, "+"), *period = strsep(&rest, "/");
	o->clock_text = text;
	bool good = strlen(text) < sizeof copy && gtp_int(main_time, &o->main_time);
	if (period)
		good = good && rest && gtp_int(period, &o->period) && o->period > 0 &&
		       gtp_int(rest, &o->stones) && o->stones > 0;
	return (good && o->main_time + o->period > 0) ||
	       complain("--clock wants MAIN or MAIN+PERIOD/STONES in whole seconds, not %s", text);
}

enum flag {
	FLAG_GAME,
	FLAG_RULES,
	FLAG_GAMES,
	FLAG_CONCURRENCY,
	FLAG_COLOURS,
	FLAG_OPENING_MOVES,
	FLAG_OPENINGS,
	FLAG_SEED,
	FLAG_TIME,
	FLAG_CLOCK,
	FLAG_TIMEOUT,
	FLAG_OUTPUT,
	FLAG_STDERR,
	FLAG_SCORE,
	FLAG_HELP
};

static const struct option long_options[] = {
	{ "game", required_argument, NULL, FLAG_GAME },
	{ "rules", required_argument, NULL, FLAG_RULES },
	{ "games", required_argument, NULL, FLAG_GAMES },
	{ "concurrency", required_argument, NULL, FLAG_CONCURRENCY },
	{ "colours", required_argument, NULL, FLAG_COLOURS },
	{ "opening-moves", required_argument, NULL, FLAG_OPENING_MOVES },
	{ "openings", required_argument, NULL, FLAG_OPENINGS },
	{ "seed", required_argument, NULL, FLAG_SEED },
	{ "time", required_argument, NULL, FLAG_TIME },
	{ "clock", required_argument, NULL, FLAG_CLOCK },
	{ "timeout", required_argument, NULL, FLAG_TIMEOUT },
	{ "output", required_argument, NULL, FLAG_OUTPUT },
	{ "stderr", required_argument, NULL, FLAG_STDERR },
	{ "score", required_argument, NULL, FLAG_SCORE },
	{ "help", no_argument, NULL, FLAG_HELP },
	{ 0 },
};

static bool read_option(struct settings *o, enum flag flag, const char *text)
{
	const char *name = long_options[flag].name;
	switch (flag) {
	case FLAG_GAME:
		o->game_name = text;
		return true;
	case FLAG_RULES:
		o->rules = text;
		return true;
	case FLAG_GAMES:
		return read_int(name, text, 1, RESULTS_GAMES_MAX - 1, &o->games);
	case FLAG_CONCURRENCY:
		return read_int(name, text, 1, CONCURRENCY_MAX, &o->concurrency);
	case FLAG_COLOURS:
		o->fixed = strcmp(text, "fixed") == 0;
		return o->fixed || strcmp(text, "both") == 0 ||
		       complain("--%s is both or fixed, not %s", name, text);
	case FLAG_OPENING_MOVES:
		return read_int(name, text, 0, 200, &o->opening_moves);
	case FLAG_OPENINGS:
		o->openings_file = text;
		return true;
	case FLAG_SEED:
		return read_int(name, text, 0, GTP_INT_MAX, &o->seed);
	case FLAG_TIME:
		return read_seconds(name, text, &o->move_time);
	case FLAG_CLOCK:
		return read_clock(o, text);
	case FLAG_TIMEOUT:
		return read_seconds(name, text, &o->timeout);
	case FLAG_OUTPUT:
		o->output = text;
		return true;
	case FLAG_STDERR:
		o->stderr_file = text;
		return true;
	case FLAG_SCORE:
	case FLAG_HELP:
		break;
	}
	return false;
}

/* Checks what the options say together, and fills in what they leave open. */
static bool complete_settings(struct settings *o)
{
	if (!game_find(o->game_name, NULL))
		return complain("there is no game %s", o->game_name);
	o->game = game_find(o->game_name, o->rules);
	if (!o->game)
		return complain("%s has no rules %s", o->game_name, o->rules);
	if (o->move_time > 0 && o->clock_text)
		return complain("--time and --clock exclude each other");
	if (o->openings_file && o->opening_moves >= 0)
		return complain("--openings and --opening-moves exclude each other");
	if (o->opening_moves < 0)
		o->opening_moves = o->fixed ? 0 : 6;
	if (!o->fixed)
		o->games += o->games % 2;
	for (int i = 0; i < 2; i++)
		for (const char *c = o->command[i]; *c; c++)
			if (iscntrl((unsigned char)*c))
				return complain("a command is one line");
	return true;
}

int main(int argc, char **argv)
{
	struct match m = {
		.settings = { .game_name = "othello",
			      .games = 100,
			      .concurrency = 1,
			      .opening_moves = -1,
			      .timeout = 60 },
		.lock = PTHREAD_MUTEX_INITIALIZER,
	};
	struct settings *o = &m.settings;
	int flag;
	games_init();
	while ((flag = getopt_long(argc, argv, "", long_options, NULL)) != -1) {
		if (flag == FLAG_HELP) {
			fputs(help, stdout);
			return fflush(stdout) == 0 ? 0 : EXIT_USAGE;
		}
		if (flag == FLAG_SCORE)
			return print_score(optarg);
		if (flag == '?' || !read_option(o, (enum flag)flag, optarg))
			return EXIT_USAGE;
	}
	if (argc - optind != 2) {
		complain("two engines are wanted");
		return EXIT_USAGE;
	}
	o->command[0] = argv[optind];
	o->command[1] = argv[optind + 1];
	if (!complete_settings(o))
		return EXIT_USAGE;
	bool ready = o->openings_file
			     ? read_openings(&m, o->openings_file)
			     : draw_openings(&m, o->opening_moves ? opening_of(o, o->games) : 1);
	int status = ready ? run_match(&m) : EXIT_USAGE;
	free_openings(&m);
	return status;
}
