/* SPDX-License-Identifier: MIT
 *
 * The match tool: runs $YOMI_BUILD/yomi-match with engines that behave well or badly.
 */
#include <fcntl.h>
#include <limits.h>
#include <math.h>
#include <signal.h>
#include <sqlite3.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "engine/base/memory.h"
#include "tests/folder.h"
#include "tools/lib/usual.h"
#include "tools/match/collection.h"
#include "tools/match/schedule.h"
#include "tools/match/standings.h"

#define PLAYER    "'$YOMI --search=random --threads=1'"
#define GAMES_MAX 256

/* A game of the database. A is the engine that is first in the database. */
struct played {
	int game, opening; /* in the order of their ends, from 1 */
	int color, points; /* of A */
	enum end end;
	char detail[256], moves[512];
	int count;      /* number of moves */
	double values;  /* number of moves with a value */
	double seconds; /* number of moves with a time */
	int notes;
	uint32_t seeds[2]; /* of A and B */
};

static struct played played[GAMES_MAX];
static int played_count;

/* Starts the match tool after the commands `before`, with arguments for the shell ($D is the test's folder,
 * $F the faulty engine). Its output goes to $D/out and $D/err. */
static pid_t match_start(const char *before, const char *arguments)
{
	char command[4096];
	ck_assert_msg(getenv("YOMI") && getenv("YOMI_BUILD"), "$YOMI and $YOMI_BUILD are not set");
	snprintf(command, sizeof command,
		 "F=tests/tools/match/fake.sh; %s exec $YOMI_BUILD/yomi-match %s >$D/out 2>$D/err",
		 before, arguments);
	pid_t child = fork();
	ck_assert_int_ge(child, 0);
	if (child == 0) {
		execl("/bin/sh", "sh", "-c", command, (char *)NULL);
		_exit(127);
	}
	return child;
}

static int wait_for(pid_t child)
{
	int status;
	ck_assert_int_eq(waitpid(child, &status, 0), child);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

static int match(const char *arguments)
{
	return wait_for(match_start("", arguments));
}

static bool take_game(void *arg, const struct match_game *g)
{
	(void)arg;
	ck_assert_int_lt(played_count, GAMES_MAX);
	struct played *p = &played[played_count++];
	*p = (struct played) { .game = played_count, .opening = g->opening, .end = g->end };
	p->color = g->engines[BLACK] == 0 ? BLACK : WHITE;
	p->points = p->color == BLACK ? g->points : 2 - g->points;
	p->seeds[0] = g->seeds[p->color];
	p->seeds[1] = g->seeds[!p->color];
	p->count = g->count;
	snprintf(p->detail, sizeof p->detail, "%s", g->detail);
	for (int i = 0; i < g->count; i++) {
		const struct match_move *m = &g->moves[i];
		size_t n = strlen(p->moves);
		snprintf(p->moves + n, sizeof p->moves - n, "%s%s", n ? " " : "", m->text);
		p->values += !isnan(m->value);
		p->seconds += !isnan(m->seconds);
		p->notes += m->note != NULL;
	}
	return true;
}

/* Reads the games of a match from a file of the test's folder. Returns their number, 0 also if the file is
 * not complete yet. */
static int read_match(const char *name, int match)
{
	char path[PATH_MAX + 8], why[DATABASE_REASON_MAX];
	snprintf(path, sizeof path, "%s/%s", folder, name);
	struct database *db = database_read(path, why);
	played_count = 0;
	if (db && database_match(db, match))
		ck_assert_msg(database_games(db, match, PARTS_ALL, take_game, NULL, why), "%s",
			      why);
	if (db)
		database_close(db);
	return played_count;
}

/* Reads $D/r, which must have one match. */
static int read_games(void)
{
	ck_assert_int_eq(read_match("r", 1), 0);
	return read_match("r", 0);
}

static int count_ends(enum end end)
{
	int n = 0;
	for (int i = 0; i < played_count; i++)
		n += played[i].end == end;
	return n;
}

static int count_points(int points)
{
	int n = 0;
	for (int i = 0; i < played_count; i++)
		n += played[i].points == points;
	return n;
}

/* Returns true if a file of the test's folder contains a text. */
static bool file_has(const char *name, const char *text)
{
	char path[PATH_MAX + 16], line[4096];
	bool found = false;
	snprintf(path, sizeof path, "%s/%s", folder, name);
	FILE *f = fopen(path, "re");
	ck_assert_ptr_nonnull(f);
	while (!found && fgets(line, sizeof line, f))
		found = strstr(line, text) != NULL;
	fclose(f);
	return found;
}

/* Plays against an engine that fails in some games. It must lose those for the given reason, and only those
 * are incomplete. */
static void check_forfeits(const char *behaviour, const char *options, enum end end,
			   const char *detail)
{
	char arguments[512];
	snprintf(arguments, sizeof arguments,
		 "--game=tictactoe --games=8 --concurrency=2 --opening-moves=2 --seed=1 "
		 "--output=$D/r %s \"$F %s\" " PLAYER,
		 options, behaviour);
	ck_assert_int_eq(match(arguments), 0);
	ck_assert_int_eq(read_games(), 8);
	int failed = count_ends(end);
	ck_assert_int_ge(failed, 1);
	ck_assert_int_ge(count_ends(END_OVER), 1);
	ck_assert_int_eq(failed + count_ends(END_OVER), 8);
	for (int i = 0; i < played_count; i++)
		if (played[i].end == end) {
			ck_assert_int_eq(played[i].points, 0);
			ck_assert_ptr_nonnull(strstr(played[i].detail, detail));
		}
}

START_TEST(engine_dies)
{
	check_forfeits("die", "", END_DIED, "genmove: exit status 0");
}
END_TEST

START_TEST(engine_hangs)
{
	check_forfeits("hang", "--timeout=6", END_HUNG, "genmove: no answer in 6 s");
	ck_assert(file_has("out", "hung"));
}
END_TEST

START_TEST(engine_makes_noise)
{
	check_forfeits("noise", "", END_GARBAGE, "genmove: thinking about");
}
END_TEST

START_TEST(engine_answers_garbage)
{
	check_forfeits("garbage", "", END_GARBAGE, "genmove: somewhere");
}
END_TEST

/* Its bytes are no UTF-8, and do not hide the end of a value of SGF. */
START_TEST(engine_answers_bytes)
{
	check_forfeits("bytes", "", END_GARBAGE, "genmove: \x81]");
	ck_assert_int_eq(match("--sgf=$D/r"), 0);
	ck_assert_int_eq(system("mv $D/out $D/r.sgf"), 0);
	ck_assert_int_eq(match("--import=$D/r.sgf --output=$D/s"), 0);
	ck_assert(file_has("out", "8 games added"));
}
END_TEST

START_TEST(engine_plays_illegal_moves)
{
	check_forfeits("illegal", "", END_ILLEGAL, "");
}
END_TEST

START_TEST(engine_refuses_to_move)
{
	check_forfeits("refuse", "", END_REFUSED, "genmove: unknown command");
}
END_TEST

START_TEST(engine_resigns)
{
	check_forfeits("resign", "", END_RESIGN, "resign");
	ck_assert(file_has("out", "forfeits of A  0"));
}
END_TEST

START_TEST(engine_oversteps_its_clock)
{
	check_forfeits("slow 8", "--clock=4", END_TIME, "s too late");
}
END_TEST

START_TEST(engine_refuses_legal_moves)
{
	ck_assert_int_eq(
		match("--game=tictactoe --games=2 --output=$D/r " PLAYER " \"$F refuse_play\""), 0);
	ck_assert_int_eq(read_games(), 2);
	ck_assert_int_eq(count_ends(END_REFUSED), 2);
	ck_assert_int_eq(count_points(2), 2);
}
END_TEST

/* One square is left: its move ends the game. */
START_TEST(engine_dies_after_the_end)
{
	ck_assert_int_eq(match("--game=tictactoe --games=8 --seed=1 --opening-moves=8 "
			       "--output=$D/r \"$F unexplained\" " PLAYER),
			 0);
	ck_assert_int_eq(read_games(), 8);
	ck_assert_int_eq(count_ends(END_OVER), 8);
	ck_assert(file_has("out", "forfeits of A  0"));
}
END_TEST

/* An engine that fails within the opening: the record has all of it, so that openings differ that begin alike. */
START_TEST(engine_refuses_the_opening)
{
	ck_assert_int_eq(match("--game=tictactoe --games=20 --seed=1 --opening-moves=4 "
			       "--output=$D/r " PLAYER " \"$F refuse_play\""),
			 0);
	ck_assert_int_eq(read_games(), 20);
	for (int i = 0; i < played_count; i++)
		ck_assert_int_eq(played[i].count, 4);
	ck_assert(file_has("out", "openings       10 different"));
	ck_assert(!file_has("out", "repeat another"));
}
END_TEST

START_TEST(engine_refuses_passes)
{
	int passes = 0;
	ck_assert_int_eq(match("--games=4 --seed=3 --output=$D/r \"$F no_passes\" " PLAYER), 0);
	ck_assert_int_eq(read_games(), 4);
	ck_assert_int_eq(count_ends(END_OVER), 4);
	for (int i = 0; i < played_count; i++)
		passes += strstr(played[i].moves, "PASS") != NULL;
	ck_assert_int_ge(passes, 1);
}
END_TEST

START_TEST(engine_that_cannot_be_used)
{
	ck_assert_int_eq(match("--output=$D/r 'exit 3' " PLAYER), 2);
	ck_assert(file_has("err", "engine A: list_commands: exit status 3"));
	ck_assert(!file_has("err", "on its stderr"));
	/* The last message of the engine that fails, from the shell or the engine. */
	ck_assert_int_eq(match("$D/nix " PLAYER), 2);
	ck_assert(file_has("err", "engine A: list_commands: exit status 127"));
	ck_assert(file_has("err", "match: the last line on its stderr: ") &&
		  file_has("err", "/nix: "));
	ck_assert_int_eq(match(PLAYER " 'echo one >&2; echo two >&2; exit 3'"), 2);
	ck_assert(file_has("err", "match: the last line on its stderr: two"));
	ck_assert(!file_has("err", "one"));
	ck_assert_int_eq(match(PLAYER " \"$F refuse_size\""), 2);
	ck_assert(file_has("err", "engine B: boardsize 8: unknown command"));
	ck_assert_int_eq(match(PLAYER " cat"), 2);
	ck_assert(file_has("err", "engine B: does not answer in GTP: 'list_commands'"));
}
END_TEST

START_TEST(engine_is_told_what_it_knows)
{
	ck_assert_int_eq(match("--game=tictactoe --games=2 --seed=5 --time=0.25 --stderr=$D/stderr "
			       "--output=$D/r '$YOMI --search=random --log=$D/log' "
			       "'echo loud >&2; tests/tools/match/fake.sh normal'"),
			 0);
	ck_assert(file_has("log", "set_game Tictactoe"));
	ck_assert(file_has("log", "boardsize 3"));
	ck_assert(file_has("log", "clear_board"));
	ck_assert(file_has("log", "set_random_seed"));
	ck_assert(file_has("log", "set_time 0.25"));
	ck_assert(file_has("log", "quit"));
	ck_assert(file_has("stderr", "loud"));
	ck_assert_int_eq(match("--game=tictactoe --games=2 --time=0.25 "
			       "'YOMI_OPTIONS=\"--log=$D/plain --game=tictactoe\" "
			       "tests/tools/match/fake.sh plain' " PLAYER),
			 0);
	ck_assert(file_has("plain", "time_settings 0 1 1"));
	ck_assert_int_eq(match("--game=tictactoe --games=2 --clock=60+5/3 "
			       "'$YOMI --search=random --log=$D/clock' " PLAYER),
			 0);
	ck_assert(file_has("clock", "time_settings 60 5 3"));
	ck_assert(file_has("clock", "time_left black"));
}
END_TEST

/* The referee's clock runs: each move of a period uses one of its stones, and each game begins with all of them. */
START_TEST(engines_are_told_their_clock)
{
	ck_assert_int_eq(match("--game=tictactoe --games=2 --opening-moves=0 --seed=5 "
			       "--clock=0+600/2 --output=$D/r "
			       "'$YOMI --search=random --log=$D/log' " PLAYER),
			 0);
	ck_assert(file_has("log", "time_left black 600 2"));
	ck_assert(file_has("log", "time_left white 600 2"));
	ck_assert_int_eq(system("grep -q 'time_left black 5[0-9]* 1$' $D/log"), 0);
	ck_assert_int_eq(system("grep -q 'time_left white 5[0-9]* 1$' $D/log"), 0);
}
END_TEST

/* Returns the first n moves of a game. */
static const char *first_moves(const struct played *p, int n)
{
	static char text[sizeof p->moves];
	char *end = strcpy(text, p->moves) - 1;
	while (n-- && end)
		end = strchr(end + 1, ' ');
	ck_assert_ptr_nonnull(end);
	*end = '\0';
	return text;
}

/* Returns the game of an opening in which A has a colour. */
static const struct played *find_game(int opening, int color)
{
	for (int i = 0; i < played_count; i++)
		if (played[i].opening == opening && played[i].color == color)
			return &played[i];
	return NULL;
}

START_TEST(pairs_exchange_colors)
{
	char opening[sizeof played[0].moves], other[sizeof opening] = "";
	ck_assert_int_eq(
		match("--games=7 --concurrency=3 --opening-moves=5 --seed=9 --output=$D/r " PLAYER
		      " " PLAYER),
		0);
	ck_assert_int_eq(read_games(), 8);
	for (int number = 1; number <= 4; number++) {
		const struct played *first = find_game(number, BLACK);
		const struct played *second = find_game(number, WHITE);
		ck_assert(first && second);
		snprintf(opening, sizeof opening, "%s", first_moves(first, 5));
		ck_assert_str_eq(first_moves(second, 5), opening);
		ck_assert_str_ne(opening, other);
		memcpy(other, opening, sizeof other);
		/* Opening moves and passes are not chosen by an engine. */
		int chosen = first->count - 5;
		for (const char *pass = first->moves; (pass = strstr(pass, "PASS")); pass++)
			chosen--;
		ck_assert_double_eq(first->seconds, chosen);
	}
}
END_TEST

START_TEST(fixed_colors)
{
	char opening[sizeof played[0].moves];
	ck_assert_int_eq(match("--game=othello --games=5 --opening-moves=5 --seed=9 "
			       "--colours=fixed --output=$D/r " PLAYER " " PLAYER),
			 0);
	ck_assert_int_eq(read_games(), 5);
	for (int number = 1; number <= 5; number++) {
		ck_assert_ptr_nonnull(find_game(number, BLACK));
		snprintf(opening, sizeof opening, "%s", first_moves(find_game(number, BLACK), 5));
		for (int i = 1; i < number; i++)
			ck_assert_str_ne(first_moves(find_game(i, BLACK), 5), opening);
	}
	/* The other engine cannot begin in the same match. */
	ck_assert_int_eq(
		match("--game=tictactoe --games=2 --colours=fixed --output=$D/s 'a: '" PLAYER
		      " 'b: '" PLAYER),
		0);
	ck_assert_int_eq(
		match("--game=tictactoe --games=4 --colours=fixed --output=$D/s 'b: '" PLAYER
		      " 'a: '" PLAYER),
		2);
	ck_assert(file_has("err", "engine 2 moved first in earlier games"));
	ck_assert_int_eq(read_match("s", 0), 2);
	/* Engines that do not play now may have begun. */
	ck_assert_int_eq(
		match("--game=tictactoe --games=2 --colours=fixed --output=$D/t 'a: '" PLAYER
		      " 'b: '" PLAYER " 'c: '" PLAYER),
		0);
	ck_assert_int_eq(
		match("--game=tictactoe --games=4 --colours=fixed --output=$D/t 'b: '" PLAYER
		      " 'c: '" PLAYER),
		0);
	ck_assert_int_eq(read_match("t", 0), 8);
}
END_TEST

/* A match goes on only with the openings with which it began. */
START_TEST(changed_openings)
{
	static const char command[] =
		"--game=tictactoe --games=%d --openings=$D/o --output=$D/r " PLAYER " " PLAYER;
	char arguments[256];
	ck_assert_int_eq(system("printf 'a1 b2\\nc3\\n' >$D/o"), 0);
	snprintf(arguments, sizeof arguments, command, 2);
	ck_assert_int_eq(match(arguments), 0);
	ck_assert_int_eq(system("printf 'a1 c3\\nc3\\n' >$D/o"), 0);
	snprintf(arguments, sizeof arguments, command, 4);
	ck_assert_int_eq(match(arguments), 2);
	ck_assert(file_has("err", "games of opening 1 began A1 B2, but it is A1 C3 now"));
	ck_assert_int_eq(read_games(), 2);
	ck_assert_int_eq(system("printf 'a1 b2\\na3\\n' >$D/o"), 0);
	ck_assert_int_eq(match(arguments), 0);
	ck_assert_int_eq(read_games(), 4);
}
END_TEST

START_TEST(same_seed_same_games)
{
	static const char arguments[] = "--game=tictactoe --games=4 --seed=11 --output=$D/r " PLAYER
					" " PLAYER;
	struct played before[4];
	ck_assert_int_eq(match(arguments), 0);
	ck_assert_int_eq(read_games(), 4);
	memcpy(before, played, sizeof before);
	ck_assert_int_eq(system("rm $D/r"), 0);
	ck_assert_int_eq(match(arguments), 0);
	ck_assert_int_eq(read_games(), 4);
	for (int i = 0; i < 4; i++) {
		ck_assert_str_eq(played[i].moves, before[i].moves);
		ck_assert_uint_eq(played[i].seeds[0], before[i].seeds[0]);
		ck_assert_uint_ne(played[i].seeds[0], played[i].seeds[1]);
	}
}
END_TEST

START_TEST(openings_from_a_file)
{
	ck_assert_int_eq(
		system("printf '\\357\\273\\277b2a1\\n# two\\n\\n C3 a2 b1 \\n' >$D/openings"), 0);
	ck_assert_int_eq(
		match("--game=tictactoe --games=6 --openings=$D/openings --output=$D/r " PLAYER
		      " " PLAYER),
		0);
	ck_assert_int_eq(read_games(), 6);
	for (int i = 0; i < 6; i++) {
		bool second = played[i].opening == 2;
		ck_assert_str_eq(first_moves(&played[i], second ? 3 : 2),
				 second ? "C3 A2 B1" : "B2 A1");
	}
	/* An illegal move is refused with its line. */
	ck_assert_int_eq(system("printf 'b2b2\\n' >$D/openings"), 0);
	ck_assert_int_eq(match("--game=tictactoe --openings=$D/openings " PLAYER " " PLAYER), 2);
	ck_assert(file_has("err", "line 1"));
	/* A zero byte is a blank, and a carriage return ends a line: no move is lost. */
	static const char *const odd[] = { "b2\\000a1\\n", "#\\rb2 a1\\n", "b2a1\\rb2a1\\r" };
	for (size_t i = 0; i < sizeof odd / sizeof *odd; i++) {
		char command[128];
		snprintf(command, sizeof command, "rm $D/r; printf '%s' >$D/openings", odd[i]);
		ck_assert_int_eq(system(command), 0);
		ck_assert_int_eq(match("--game=tictactoe --games=2 --openings=$D/openings "
				       "--output=$D/r " PLAYER " " PLAYER),
				 0);
		ck_assert_int_eq(read_games(), 2);
		ck_assert_str_eq(first_moves(played, 2), "B2 A1");
	}
}
END_TEST

/* Records may have moves that no match plays. */
START_TEST(openings_from_records)
{
	static const struct {
		const char *options, *record, *reason;
	} odd[] = {
		{ "--game=go", "(;GM[1]SZ[9];B[bi];W[ah];B[ch];W[bh];B[di];W[];B[ai];W[ci];B[bi])",
		  "move 9 is not legal in a match" },
		{ "--game=hex --size=5", "(;GM[11]SZ[5];B[b4];W[c3];AB[a1];B[d4])",
		  "move 3 is not legal in a match" },
		{ "--game=hex --size=5", "(;GM[11]SZ[5];B[b4];B[c3])",
		  "move 2 is not legal in a match" },
	};
	char command[256];
	for (size_t i = 0; i < sizeof odd / sizeof *odd; i++) {
		snprintf(command, sizeof command, "echo '%s' >$D/o", odd[i].record);
		ck_assert_int_eq(system(command), 0);
		snprintf(command, sizeof command, "%s --openings=$D/o " PLAYER " " PLAYER,
			 odd[i].options);
		ck_assert_int_eq(match(command), 2);
		ck_assert_msg(file_has("err", odd[i].reason), "%s", odd[i].record);
	}
	/* A swap of sides leaves the stones. */
	ck_assert_int_eq(system("echo '(;GM[11]SZ[5];B[b4];W[swap-sides];W[c3])' >$D/o"), 0);
	ck_assert_int_eq(match("--game=hex --size=5 --games=2 --openings=$D/o --output=$D/r " PLAYER
			       " " PLAYER),
			 0);
	ck_assert_int_eq(read_games(), 2);
	ck_assert_str_eq(first_moves(played, 2), "B4 C3");
}
END_TEST

/* Where a game has usual openings they are the default, in an order that the seed decides. */
START_TEST(usual_openings_of_a_game)
{
	const struct game *g = game_find("hex", NULL);
	struct openings usual, other;
	uint32_t checksum;
	bool same = true;
	ck_assert(usual_openings(&usual, g, 3, &checksum));
	ck_assert(usual_openings(&other, g, 4, &checksum));
	ck_assert_int_ge(usual.count, 3);
	for (int i = 0; i < usual.count; i++)
		same &= usual.list[i].count == other.list[i].count &&
			memcmp(usual.list[i].moves, other.list[i].moves,
			       (size_t)usual.list[i].count * sizeof *usual.list[i].moves) == 0;
	ck_assert(!same);
	ck_assert_int_eq(match("--game=hex --games=6 --seed=3 --output=$D/r " PLAYER " " PLAYER),
			 0);
	char *terms = xasprintf("openings the %d usual ones (%08x), seed 3", usual.count, checksum);
	ck_assert(file_has("out", terms));
	free(terms);
	ck_assert_int_eq(read_games(), 6);
	for (int i = 0; i < 6; i++) {
		const struct opening *o = &usual.list[played[i].opening - 1];
		char *line = opening_text(g, o);
		ck_assert_str_eq(first_moves(&played[i], o->count), line);
		free(line);
	}
	openings_free(&usual);
	openings_free(&other);
	ck_assert_int_eq(match("--game=hex --games=2 --openings=none " PLAYER " " PLAYER), 0);
	ck_assert(file_has("out", "openings 0 random moves"));
	/* Without openings, engines that do not vary their play repeat their game. */
	ck_assert_int_eq(match("--game=tictactoe --games=6 --openings=none "
			       "'$YOMI --search=alphabeta --depth=3 --threads=1' "
			       "'$YOMI --search=alphabeta --depth=3 --threads=1 --seed=1'"),
			 0);
	ck_assert(file_has("out", "games          5 of 6 repeat another"));
	ck_assert_int_eq(match("--game=hex --games=2 --colours=fixed " PLAYER " " PLAYER), 0);
	ck_assert(file_has("out", "openings 0 random moves"));
	ck_assert_int_eq(
		match("--game=hex --size=3 --games=2 --opening-moves=1 " PLAYER " " PLAYER), 0);
	ck_assert(file_has("out", "openings 1 random moves"));
	ck_assert_int_eq(match("--game=hex --size=5 --games=2 " PLAYER " " PLAYER), 0);
	ck_assert(file_has("out", "openings 6 random moves"));
}
END_TEST

/* The perfect opponent of the experiments beats random moves, never loses, and does not always play the same. */
START_TEST(perfect_player)
{
	const char *first = NULL;
	bool same = true;
	ck_assert_int_eq(
		match("--game=tictactoe --games=16 --seed=2 --openings=none --output=$D/r " PLAYER
		      " 'tools/perfect $YOMI'"),
		0);
	ck_assert_int_eq(read_games(), 16);
	ck_assert_int_eq(count_points(2), 0);
	ck_assert_int_gt(count_points(0), 8);
	ck_assert_int_eq(count_ends(END_OVER), 16);
	for (int i = 0; i < 16; i++) {
		if (played[i].color != WHITE)
			continue;
		same &= !first || strncmp(played[i].moves, first, 2) == 0;
		first = played[i].moves;
	}
	ck_assert(!same);
}
END_TEST

/* yomi reports its expectation for each move; a player that does not search reports none. */
START_TEST(values_of_moves)
{
	static const char arguments[] =
		"--game=tictactoe --games=2 --seed=5 --opening-moves=2 --output=$D/%s --notes=%s "
		"'$YOMI --threads=1 --playouts=50' " PLAYER;
	char command[512];
	for (int keeps = 0; keeps < 2; keeps++) {
		ck_assert_int_eq(system("rm -f $D/r"), 0);
		snprintf(command, sizeof command, arguments, "r", keeps ? "yes" : "no");
		ck_assert_int_eq(match(command), 0);
		ck_assert_int_eq(read_games(), 2);
		for (int i = 0; i < 2; i++) {
			ck_assert_double_gt(played[i].values, 0);
			ck_assert_double_lt(played[i].values, played[i].seconds);
			ck_assert_int_eq(played[i].notes, keeps ? (int)played[i].seconds : 0);
		}
	}
}
END_TEST

#define SLOW_MATCH "--game=tictactoe --games=20 --concurrency=2 --output=$D/r \"$F lazy\" " PLAYER

static bool has_ended(pid_t child)
{
	siginfo_t info = { 0 };
	return waitid(P_PID, (id_t)child, &info, WEXITED | WNOHANG | WNOWAIT) == 0 &&
	       info.si_pid == child;
}

/* Starts a match and waits until `count` more of its games are in $D/r, or until it ends: others may keep the processor from
 * the tests for so long. All of its processes hold the write end of the pipe `alive`. */
static pid_t start_to_end(const char *arguments, int count, int alive[2])
{
	int before = read_match("r", 0);
	ck_assert_int_eq(pipe(alive), 0);
	pid_t child = match_start("", arguments);
	close(alive[1]);
	do
		nanosleep(&(struct timespec) { .tv_nsec = 5000000 }, NULL);
	while (read_match("r", 0) < before + count && !has_ended(child));
	return child;
}

/* Waits until all processes of an ended match are gone. */
static void await_end(int alive[2])
{
	char byte;
	ck_assert_int_eq(read(alive[0], &byte, 1), 0);
	close(alive[0]);
}

/* Checks that every game of the slow match was played once. */
static void check_whole_match(void)
{
	ck_assert_int_eq(read_games(), 20);
	for (int opening = 1; opening <= 10; opening++)
		ck_assert(find_game(opening, BLACK) && find_game(opening, WHITE));
}

START_TEST(terminated_match_goes_on)
{
	int alive[2];
	pid_t child = start_to_end(SLOW_MATCH, 3, alive);
	kill(child, SIGTERM);
	int status = wait_for(child);
	await_end(alive); /* no engine is left */
	ck_assert(status == 128 + SIGTERM || (status == 0 && read_games() == 20));
	ck_assert_int_eq(match(SLOW_MATCH), 0);
	check_whole_match();
	/* A third run has nothing left to play. */
	ck_assert_int_eq(match(SLOW_MATCH), 0);
	check_whole_match();
}
END_TEST

/* A system that stops may end the engines before the match knows. No engine loses a game by that. */
START_TEST(engine_is_stopped_before_its_match)
{
	ck_assert_int_eq(match("--game=tictactoe --games=8 --opening-moves=2 --output=$D/r " PLAYER
			       " 'tests/tools/match/fake.sh stopped; test -e $D/stopped || exit;"
			       " exec >&-; sleep 0.1; kill $PPID'"),
			 128 + SIGTERM);
	ck_assert_int_ge(read_games(), 1);
	ck_assert_int_eq(count_ends(END_OVER), played_count);
}
END_TEST

static int compare_games(const void *a, const void *b)
{
	const struct played *x = a, *y = b;
	return x->opening != y->opening ? x->opening - y->opening : x->color - y->color;
}

/* A match that is killed three times has the same games in the end as one that is not. */
START_TEST(killed_match_goes_on)
{
	static const char arguments[] =
		"--game=tictactoe --games=200 --seed=4 --opening-moves=1 --concurrency=2 "
		"--output=$D/%s " PLAYER " '$YOMI --threads=1 --playouts=1'";
	static struct played whole[200];
	char killed[512], quiet[512];
	int alive[2];
	snprintf(killed, sizeof killed, arguments, "r");
	snprintf(quiet, sizeof quiet, arguments, "s");
	for (int i = 0; i < 3; i++) {
		pid_t child = start_to_end(killed, 40, alive);
		kill(child, SIGKILL);
		wait_for(child);
		await_end(alive);
	}
	int count = read_games();
	ck_assert_int_ge(count, 120);
	ck_assert_int_eq(match(killed), 0);
	ck_assert_int_eq(read_games(), 200);
	qsort(played, 200, sizeof *played, compare_games);
	memcpy(whole, played, sizeof whole);
	ck_assert_int_eq(match(quiet), 0);
	ck_assert_int_eq(read_match("s", 0), 200);
	qsort(played, 200, sizeof *played, compare_games);
	for (int i = 0; i < 200; i++) {
		ck_assert_int_eq(whole[i].opening, i / 2 + 1);
		ck_assert_int_eq(whole[i].color, i % 2);
		ck_assert_str_eq(whole[i].moves, played[i].moves);
		ck_assert_int_eq(whole[i].points, played[i].points);
	}
	/* Same score, and same page except for names, dates and times. */
	ck_assert_int_eq(match("--score=$D/r"), 0);
	ck_assert_int_eq(system("mv $D/out $D/score"), 0);
	ck_assert_int_eq(match("--score=$D/s"), 0);
	ck_assert_int_eq(system("cmp $D/out $D/score"), 0);
}
END_TEST

START_TEST(files_hold_many_matches)
{
	static const char *const arguments[] = {
		"--game=tictactoe --games=2 --output=$D/r " PLAYER " 'two: $YOMI --search=random'",
		"--game=tictactoe --games=4 --output=$D/r " PLAYER " 'two: $YOMI --search=random'",
		"--game=tictactoe --games=6 --seed=1 --output=$D/r " PLAYER " " PLAYER,
		"--games=2 --opening-moves=50 --output=$D/r " PLAYER " " PLAYER,
		"--games=2 --opening-moves=50 --name=again --output=$D/r " PLAYER " " PLAYER,
	};
	static const int count[] = { 4, 6, 2, 2, 0 };
	for (size_t i = 0; i < sizeof arguments / sizeof *arguments; i++)
		ck_assert_int_eq(match(arguments[i]), 0);
	for (int i = 0; i < 5; i++)
		ck_assert_int_eq(read_match("r", i), count[i]);
	ck_assert_int_eq(match("--score=$D/r"), 0);
	ck_assert(file_has("out", "4 ") && file_has("out", "6 ") && file_has("out", "\ttwo\n"));
	/* A name belongs to one command. */
	ck_assert_int_eq(match("--game=tictactoe --output=$D/r " PLAYER " 'two: $YOMI'"), 2);
	ck_assert(file_has("err", "the engine two has another command there: $YOMI"));
	ck_assert_int_eq(match("--score=$D/none"), 2);
	ck_assert(file_has("err", "No such file"));
	ck_assert_int_eq(match("--games=2 --output=/dev/full " PLAYER " " PLAYER), 2);
	ck_assert(file_has("err", "not a regular file"));
}
END_TEST

/* Parts share no games. Joined, they are the match. */
START_TEST(parts_are_merged)
{
	static const char terms[] = "--game=tictactoe --games=20 --seed=4 " PLAYER " " PLAYER;
	static const char *const parts[] = { "1", "2", "3" };
	static const int counts[] = { 8, 6, 6 };
	char arguments[256], path[PATH_MAX + 8];
	struct played whole[20];
	sqlite3 *db;
	snprintf(arguments, sizeof arguments, "--output=$D/r %s", terms);
	ck_assert_int_eq(match(arguments), 0);
	ck_assert_int_eq(read_games(), 20);
	memcpy(whole, played, sizeof whole);
	for (int i = 0; i < 3; i++) {
		snprintf(arguments, sizeof arguments, "--part=%s/3 --output=$D/%s %s", parts[i],
			 parts[i], terms);
		ck_assert_int_eq(match(arguments), 0);
		ck_assert_int_eq(read_match(parts[i], 0), counts[i]);
		/* There is nothing left to do. */
		ck_assert_int_eq(match(arguments), 0);
		ck_assert_int_eq(read_match(parts[i], 0), counts[i]);
	}
	ck_assert_int_eq(match("--merge=$D/all $D/1 $D/2 $D/3"), 0);
	ck_assert(file_has("out", "20 games added, 0 already known, 0 left out"));
	ck_assert_int_eq(match("--merge=$D/all $D/2 $D/r"), 0);
	ck_assert(file_has("out", "0 games added, 26 already known, 0 left out"));
	ck_assert_int_eq(read_match("all", 0), 20);
	for (int i = 0; i < 20; i++) {
		const struct played *p = find_game(whole[i].opening, whole[i].color);
		ck_assert_ptr_nonnull(p);
		ck_assert_str_eq(p->moves, whole[i].moves);
		ck_assert(memcmp(p->seeds, whole[i].seeds, sizeof p->seeds) == 0);
	}
	/* Another game of the same opening is not taken, and the one that is there stays. */
	snprintf(path, sizeof path, "%s/all", folder);
	ck_assert_int_eq(sqlite3_open(path, &db), SQLITE_OK);
	ck_assert_int_eq(sqlite3_exec(db, "DELETE FROM move WHERE number > 6", NULL, NULL, NULL),
			 SQLITE_OK);
	sqlite3_close(db);
	ck_assert_int_eq(match("--merge=$D/all $D/r"), 0);
	ck_assert(file_has("out", "20 left out: another game of this opening is there"));
	ck_assert_int_eq(read_match("all", 0), 20);
	/* What cannot be added is named. */
	ck_assert_int_eq(match("--merge=$D/other $D/1"), 0);
	ck_assert_int_eq(sqlite3_open(folder_path("other"), &db), SQLITE_OK);
	ck_assert_int_eq(sqlite3_exec(db, "UPDATE engine SET command = 'x'", NULL, NULL, NULL),
			 SQLITE_OK);
	sqlite3_close(db);
	ck_assert_int_eq(match("--merge=$D/both $D/1 $D/other"), 2);
	ck_assert(file_has("err", "/other: "));
	ck_assert(file_has("out", "8 games added"));
	ck_assert_int_eq(match("--merge=$D/all $D/none"), 2);
	ck_assert(file_has("err", "none: No such file"));
}
END_TEST

/* The first machine of a match is four times slower than this one, which gets a quarter of the time. */
START_TEST(times_are_scaled)
{
	static const char terms[] = "--game=tictactoe --time=2 --scale-time --output=$D/r "
				    "'$YOMI --search=random --log=$D/log' " PLAYER " --games=";
	char arguments[256], path[PATH_MAX + 8];
	sqlite3 *db;
	snprintf(arguments, sizeof arguments, "%s2", terms);
	ck_assert_int_eq(match(arguments), 0);
	ck_assert(file_has("log", "set_time 2\n"));
	snprintf(path, sizeof path, "%s/r", folder);
	ck_assert_int_eq(sqlite3_open(path, &db), SQLITE_OK);
	ck_assert_int_eq(sqlite3_exec(db,
				      "UPDATE node SET speed = 1000;"
				      "INSERT INTO node (rowid, match, name, speed) "
				      "SELECT -1, match, 'elsewhere', 250 FROM node",
				      NULL, NULL, NULL),
			 SQLITE_OK);
	sqlite3_close(db);
	snprintf(arguments, sizeof arguments, "%s4", terms);
	ck_assert_int_eq(match(arguments), 0);
	ck_assert(file_has("log", "set_time 0.5\n"));
	ck_assert_int_eq(read_games(), 4);
}
END_TEST

START_TEST(one_writer_at_a_time)
{
	int alive[2];
	pid_t child = start_to_end(SLOW_MATCH, 1, alive);
	ck_assert_int_eq(match(SLOW_MATCH), 2);
	ck_assert(file_has("err", "another match is writing to it"));
	kill(child, SIGTERM);
	wait_for(child);
	await_end(alive);
}
END_TEST

START_TEST(full_disk)
{
	/* The file size limit is 64 or 128 KiB: room for the tables and some games. */
	static const char arguments[] = "--game=tictactoe --games=200 --output=$D/r " PLAYER
					" " PLAYER;
	char total[32];
	pid_t child = match_start("trap '' XFSZ; ulimit -f 128;", arguments);
	ck_assert_int_eq(wait_for(child), 1);
	ck_assert(file_has("err", "disk I/O error"));
	ck_assert_int_lt(read_games(), 200);
	/* Every game reported as played can be read. */
	snprintf(total, sizeof total, "A %17d ", read_games());
	ck_assert(file_has("out", total));
	ck_assert_int_eq(match(arguments), 0);
	ck_assert_int_eq(read_games(), 200);
}
END_TEST

START_TEST(full_output)
{
	static const char *const arguments[] = {
		("--games=2 --game=tictactoe --output=$D/r " PLAYER " " PLAYER),
		"--score=$D/r",
		"--sgf=$D/r",
		"--sgf=tools/results/games/tictactoe-self.sgf.zst",
		"--import=tools/results/games/tictactoe-self.sgf.zst --output=$D/i",
		"--help",
	};
	for (size_t i = 0; i < sizeof arguments / sizeof *arguments; i++) {
		char command[1024];
		snprintf(command, sizeof command, "$YOMI_BUILD/yomi-match %s >/dev/full 2>$D/err",
			 arguments[i]);
		ck_assert_int_eq(WEXITSTATUS(system(command)), 1);
		ck_assert(file_has("err", "match: the output could not be written"));
	}
	/* The games are there. */
	ck_assert_int_eq(read_games(), 2);
}
END_TEST

START_TEST(schedules)
{
	/* Four players, twice two games of each pairing. */
	const struct schedule all = { .players = 4, .paired = true, .games = 4 };
	const struct schedule gauntlet = { .players = 4, .gauntlet = true, .games = 3 };
	static const int pairs[][2] = {
		{ 0, 1 }, { 0, 2 }, { 0, 3 }, { 1, 2 }, { 1, 3 }, { 2, 3 }
	};
	ck_assert_int_eq(schedule_count(&all), 24);
	for (int n = 1; n <= 24; n++) {
		struct fixture f = schedule_at(&all, n);
		ck_assert_int_eq(f.opening, n <= 12 ? 1 : 2);
		ck_assert_int_eq(f.a, pairs[(n - 1) % 12 / 2][0]);
		ck_assert_int_eq(f.b, pairs[(n - 1) % 12 / 2][1]);
		ck_assert_int_eq(f.color, n % 2 ? BLACK : WHITE);
	}
	ck_assert_int_eq(schedule_count(&gauntlet), 9);
	for (int n = 1; n <= 9; n++) {
		struct fixture f = schedule_at(&gauntlet, n);
		ck_assert_int_eq(f.opening, (n - 1) / 3 + 1);
		ck_assert_int_eq(f.a, 0);
		ck_assert_int_eq(f.b, (n - 1) % 3 + 1);
		ck_assert_int_eq(f.color, BLACK);
	}
}
END_TEST

/* Three engines, one of them added later: finished games are not played again. */
START_TEST(more_than_two_engines)
{
	static const char three[] =
		"--game=tictactoe --games=4 --seed=2 --concurrency=2 --output=$D/r 'a: $YOMI "
		"--search=random' 'b: $YOMI --search=random' 'c: $YOMI --threads=1 --playouts=20'";
	int both = 0;
	ck_assert_int_eq(match("--game=tictactoe --games=4 --seed=2 --output=$D/r 'a: $YOMI "
			       "--search=random' 'b: $YOMI --search=random'"),
			 0);
	ck_assert_int_eq(read_games(), 4);
	ck_assert_int_eq(match(three), 0);
	ck_assert_int_eq(read_games(), 12);
	ck_assert(file_has("out", "C c: $YOMI --threads=1 --playouts=20\n"));
	ck_assert(file_has("out", "Elo, 95 % interval"));
	ck_assert_int_eq(match("--score=$D/r"), 0);
	for (const char *const *pair =
		     (const char *const[]) { "\ta\tb\n", "\ta\tc\n", "\tb\tc\n", NULL };
	     *pair; pair++)
		both += file_has("out", *pair);
	ck_assert_int_eq(both, 3);
	/* A gauntlet omits one pairing. */
	ck_assert_int_eq(match("--game=tictactoe --games=2 --schedule=gauntlet --output=$D/g "
			       "'a: $YOMI --search=random' 'b: $YOMI --search=random' "
			       "'c: $YOMI --search=random'"),
			 0);
	ck_assert_int_eq(read_match("g", 0), 4);
	for (int i = 0; i < 4; i++)
		ck_assert_int_ne(played[i].color == BLACK ? 0 : 1, 2);
	ck_assert_int_eq(match("--score=$D/g"), 0);
	ck_assert(!file_has("out", "\tb\tc\n"));
}
END_TEST

/* Random moves against perfect ones: the test decides soon and ends the match. */
START_TEST(sequential_test_ends_the_match)
{
#define TESTED_TERMS "--game=tictactoe --seed=1 --concurrency=2 --opening-moves=1 --output=$D/r "
#define PERFECT      "'$YOMI --search=alphabeta --depth=9 --threads=1' "
#define TESTED_MATCH TESTED_TERMS PERFECT PLAYER
	static const char arguments[] = "--sprt=0,50 " TESTED_MATCH;
	static const char exchanged[] = "--sprt=0,50 " TESTED_TERMS PLAYER " " PERFECT;
	ck_assert_int_eq(match(arguments), 0);
	int count = read_games();
	ck_assert_int_ge(count, 10);
	ck_assert_int_le(count, 200);
	ck_assert(file_has("out", "SPRT of A      Elo 0 or 50: LLR "));
	ck_assert(file_has("out", "; Elo 50 accepted after "));
	ck_assert_int_eq(match(arguments), 0);
	ck_assert_int_eq(read_games(), count);
	/* In the other order it is the test of the other engine, also for those who ask in the first order. */
	ck_assert_int_eq(match(exchanged), 0);
	ck_assert(file_has("out", "SPRT of A      Elo 0 or 50: LLR -"));
	ck_assert(file_has("out", "; Elo 0 accepted after "));
	ck_assert_int_eq(match("--games=2 " TESTED_MATCH), 0);
	ck_assert(file_has("out", "SPRT of A      Elo -50 or 0: LLR "));
	ck_assert(file_has("out", "; Elo 0 accepted after "));
	ck_assert_int_eq(match(arguments), 0);
	ck_assert_int_eq(read_games(), count);
	/* Without a test all games are played. */
	ck_assert_int_eq(match("--games=250 " TESTED_MATCH), 0);
	ck_assert_int_eq(read_games(), 250);
	ck_assert_int_eq(match("--games=2 " TESTED_MATCH " 'third: $YOMI --search=random'"), 0);
	ck_assert(file_has("out", "  SPRT: Elo 0 or 50: LLR "));
	ck_assert_int_eq(read_games(), 254);
}
END_TEST

/* The last progress line is complete. */
START_TEST(progress_is_told)
{
	ck_assert_int_eq(match("--game=tictactoe --games=4 --seed=1 --sprt=0,5 " PLAYER " " PLAYER),
			 0);
	ck_assert(file_has("err", "4/4 games, A "));
	ck_assert(file_has("err", ", Elo "));
	ck_assert(file_has("err", ", LLR "));
	ck_assert(file_has("err", " (-2.94 .. 2.94), about 0:00:00 left"));
	ck_assert_int_eq(match("--game=tictactoe --games=2 --seed=1 " PLAYER " " PLAYER " " PLAYER),
			 0);
	ck_assert(file_has("err", "6/6 games, Elo A "));
	ck_assert(file_has("err", ", C "));
}
END_TEST

START_TEST(games_as_sgf)
{
	ck_assert_int_eq(
		match("--game=tictactoe --games=6 --seed=2 --opening-moves=2 --output=$D/r "
		      "'a: $YOMI --threads=1 --playouts=20' \"$F resign 5\""),
		0);
	ck_assert_int_eq(match("--sgf=$D/r"), 0);
	ck_assert_int_eq(system("mv $D/out $D/games.sgf"), 0);
	ck_assert(file_has("games.sgf", "PB[a]") && file_has("games.sgf", "+R]"));
	ck_assert_int_eq(match("--score=$D/r"), 0);
	ck_assert_int_eq(system("mv $D/out $D/score"), 0);
	/* They give the same results, directly and in another database. */
	ck_assert_int_eq(match("--score=$D/games.sgf"), 0);
	ck_assert_int_eq(system("cmp $D/out $D/score"), 0);
	ck_assert_int_eq(match("--import=$D/games.sgf --output=$D/s"), 0);
	ck_assert(file_has("out", "6 games added, 0 already known, 0 left out"));
	ck_assert_int_eq(match("--import=$D/games.sgf --output=$D/s"), 0);
	ck_assert(file_has("out", "0 games added, 6 already known, 0 left out"));
	ck_assert_int_eq(match("--sgf=$D/s"), 0);
	ck_assert_int_eq(system("cmp $D/out $D/games.sgf"), 0);
	/* A match continues after the imported games. */
	ck_assert_int_eq(
		match("--game=tictactoe --games=8 --seed=2 --opening-moves=2 --output=$D/s "
		      "'a: $YOMI --threads=1 --playouts=20' \"$F resign 5\""),
		0);
	ck_assert_int_eq(read_match("s", 0), 8);
}
END_TEST

/* Games without a number of their opening get one each; read again, they are known. */
START_TEST(games_without_numbers)
{
	static const char *const moves[] = { ";B[a1];W[b1];B[a2];W[b2];B[a3]",
					     ";B[b1];W[a1];B[b2];W[a2];B[b3]" };
	char name[64];
	for (int i = 0; i < 2; i++) {
		snprintf(name, sizeof name, "g%d.sgf", i);
		FILE *f = fopen(folder_path(name), "we");
		ck_assert_ptr_nonnull(f);
		fprintf(f, "(;SZ[3]PB[a]PW[b]%s)\n", moves[i]);
		ck_assert_int_eq(fclose(f), 0);
	}
	for (int i = 0; i < 4; i++) {
		snprintf(name, sizeof name, "--import=$D/g%d.sgf --output=$D/s --game=tictactoe",
			 i % 2);
		ck_assert_int_eq(match(name), 0);
		ck_assert(file_has("out", i < 2 ? "1 game added, 0 already known"
						: "0 games added, 1 already known"));
	}
}
END_TEST

/* Games that are packed with zstd read as if they were not. */
START_TEST(packed_games)
{
	const char *packed = "tools/results/games/tictactoe-self.sgf.zst";
	char command[512];
	snprintf(command, sizeof command, "--score=%s", packed);
	ck_assert_int_eq(match(command), 0);
	ck_assert(file_has("out", "40 0 40 0 0.5000"));
	snprintf(command, sizeof command, "--import=%s --output=$D/s", packed);
	ck_assert_int_eq(match(command), 0);
	ck_assert(file_has("out", "40 games added, 0 already known, 0 left out"));
	ck_assert_int_eq(match(command), 0);
	ck_assert(file_has("out", "0 games added, 40 already known, 0 left out"));
	snprintf(command, sizeof command, "head -c 500 %s >$D/cut", packed);
	ck_assert_int_eq(system(command), 0);
	ck_assert_int_eq(match("--score=$D/cut"), 2);
	ck_assert(file_has("err", "/cut: its compressed data is damaged or cut off"));
	ck_assert_int_eq(match("--import=$D/cut --output=$D/t"), 2);
	ck_assert(file_has("err", "/cut: its compressed data is damaged or cut off"));
}
END_TEST

static void write_text(const char *name, const char *text)
{
	char path[PATH_MAX + 16];
	snprintf(path, sizeof path, "%s/%s", folder, name);
	FILE *f = fopen(path, "we");
	ck_assert(f && fputs(text, f) >= 0 && fclose(f) == 0);
}

/* A line that is left out has its number, also if its moves are legal. Bad lines take no other game with them. */
START_TEST(games_of_lines)
{
	write_text("a.txt", "# head\nf5d6c3 B+4\nf5d6\n");
	ck_assert_int_eq(match("--import=$D/a.txt --output=$D/a --game=othello"), 0);
	ck_assert(file_has("out", "1 game added, 0 already known, 1 left out: line 3: its result "
				  "is unknown"));
	write_text("b.txt", "f5d6c3 B+4\nf5d6 W+2\nf5f6e6 zz\n");
	ck_assert_int_eq(match("--import=$D/b.txt --output=$D/b --game=othello"), 0);
	ck_assert(file_has("out", "2 games added, 0 already known, 1 left out: line 3: 'zz' is not "
				  "legal as move 4"));
}
END_TEST

/* SGF files from GoGui's tools do not name their game. */
START_TEST(games_of_gogui)
{
	static const char reply[] = "read as othello, rows from the bottom";
	write_text("o.sgf", "(;AP[gogui-twogtp:1.6.0]SZ[8]PB[a]PW[b]RE[W+R];B[df])\n"
			    "(;AP[gogui-twogtp:1.6.0]SZ[8]PB[b]PW[a]RE[W+R];B[df];W[cf])\n");
	write_text("p.sgf", "(;AP[GoGui:1.6.0]SZ[8]PB[a]PW[b]RE[B+R];B[be];B[ac])\n");
	ck_assert_int_eq(match("--score=$D/o.sgf"), 0);
	ck_assert(file_has("out", "\ta\tb") && file_has("err", "match: 2 records are not clear"));
	ck_assert(file_has("err", reply));
	ck_assert_int_eq(match("--import=$D/o.sgf --output=$D/o --game=othello"), 0);
	ck_assert(file_has("out", "2 games added") && file_has("err", reply));
	ck_assert_int_eq(match("--import=$D/p.sgf --output=$D/p --game=pentago --rules=tajima"), 0);
	ck_assert(file_has("err", "1 record is not clear: read as pentago tajima"));
	ck_assert_int_eq(match("--sgf=$D/p"), 0);
	ck_assert(file_has("out", "GN[yomi pentago tajima]") && file_has("out", ";B[a4s]"));
	/* Nothing of it can be used. */
	ck_assert_int_eq(match("--import=$D/p.sgf --output=$D/q --game=tictactoe"), 1);
	ck_assert(
		file_has("out", "0 games added, 0 already known, 1 left out: game 1: size 8 is "));
	ck_assert(file_has("err", "p.sgf has no game that can be used"));
	ck_assert_int_ne(access(folder_path("q"), F_OK), 0);
	/* A name is one line. */
	write_text("n.sgf", "(;SZ[8]PB[a\tb\nc]PW[d]RE[W+R];B[df])\n");
	ck_assert_int_eq(match("--score=$D/n.sgf"), 0);
	ck_assert(file_has("out", "\ta b c\td"));
	/* Games that are stored already count as read. */
	ck_assert_int_eq(match("--import=$D/o.sgf --output=$D/o"), 0);
	ck_assert_int_eq(match("--import=$D/o.sgf --output=$D/o --game=mahjong"), 2);
}
END_TEST

START_TEST(bad_arguments)
{
	static const char *const bad[] = {
		"",
		"one",
		"--games=x one two",
		"--games=0 one two",
		"--time=0 one two",
		"--time=1 --clock=5 one two",
		"--clock=5+ one two",
		"--clock=5+3 one two",
		"--clock=5+3/0 one two",
		"--clock=1.5 one two",
		"--game=mahjong one two",
		"--colours=red one two",
		"--game=tictactoe --opening-moves=9 one two",
		"--openings=/none one two",
		"--unknown one two",
		"--stderr=/none/there one two",
		"--output=/none/there one two",
		"--schedule=swiss one two",
		"--sprt=5 one two",
		"--sprt=5,0 one two",
		"--sprt=0,5,0.05 one two",
		"--sprt=0,5,0.05,0.5 one two",
		"--sprt=0,5, one two",
		"--sprt=0,5 one two three",
		"--notes=maybe one two",
		"'x: one' 'x: two'",
		"--import=/none",
		"--import=/none --output=$D/r",
		"--merge=$D/r",
		"--merge=$D/r --output=$D/s $D/t",
		"--scale-time one two",
		"--part=1/2 --sprt=0,5 one two",
		"--part=0/3 one two",
		"--part=4/3 one two",
		"--part=2 one two",
		"--part=1/x one two",
		"--sgf=/none",
		"--sgf=/none --rules=tajima",
		"--sprt=0,2000 one two",
		"one ''",
		"'a: ' two",
		"--score=$D/r $D/r",
		"--score=$D/r --sgf=$D/r",
		"--sgf=$D/r --output=$D/s",
		"--check one --output=$D/s",
		"--score=$D",
		"--openings=$D one two",
	};
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
		ck_assert_msg(match(bad[i]) == 2, "accepted: match %s", bad[i]);
	ck_assert_int_eq(match("--help"), 0);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("match");
	TCase *engines = suite_alone_case(suite);
	TCase *matches = tcase_create("matches"), *native = suite_native_case(suite);
	tcase_add_checked_fixture(engines, folder_create, folder_remove);
	tcase_set_timeout(engines, 60);
	tcase_add_test(engines, engine_dies);
	tcase_add_test(engines, engine_hangs);
	tcase_add_test(engines, engine_makes_noise);
	tcase_add_test(engines, engine_answers_garbage);
	tcase_add_test(engines, engine_answers_bytes);
	tcase_add_test(engines, engine_plays_illegal_moves);
	tcase_add_test(engines, engine_refuses_to_move);
	tcase_add_test(engines, engine_resigns);
	tcase_add_test(engines, engine_oversteps_its_clock);
	tcase_add_test(engines, engine_refuses_legal_moves);
	tcase_add_test(engines, engine_dies_after_the_end);
	tcase_add_test(engines, engine_refuses_the_opening);
	tcase_add_test(engines, engine_refuses_passes);
	tcase_add_test(engines, engine_that_cannot_be_used);
	tcase_add_test(engines, engine_is_told_what_it_knows);
	tcase_add_test(engines, engines_are_told_their_clock);
	tcase_add_checked_fixture(matches, folder_create, folder_remove);
	tcase_set_timeout(matches, 60);
	tcase_add_checked_fixture(native, folder_create, folder_remove);
	tcase_set_timeout(native, 60);
	tcase_add_test(matches, pairs_exchange_colors);
	tcase_add_test(matches, fixed_colors);
	tcase_add_test(matches, same_seed_same_games);
	tcase_add_test(matches, openings_from_a_file);
	tcase_add_test(matches, openings_from_records);
	tcase_add_test(matches, changed_openings);
	tcase_add_test(native, usual_openings_of_a_game);
	tcase_add_test(native, perfect_player);
	tcase_add_test(matches, values_of_moves);
	tcase_add_test(matches, terminated_match_goes_on);
	tcase_add_test(matches, engine_is_stopped_before_its_match);
	tcase_add_test(matches, killed_match_goes_on);
	tcase_add_test(matches, files_hold_many_matches);
	tcase_add_test(matches, parts_are_merged);
	tcase_add_test(matches, times_are_scaled);
	tcase_add_test(matches, one_writer_at_a_time);
	tcase_add_test(matches, full_disk);
	tcase_add_test(matches, full_output);
	tcase_add_test(matches, schedules);
	tcase_add_test(matches, more_than_two_engines);
	tcase_add_test(native, sequential_test_ends_the_match);
	tcase_add_test(matches, progress_is_told);
	tcase_add_test(matches, games_as_sgf);
	tcase_add_test(matches, games_without_numbers);
	tcase_add_test(matches, packed_games);
	tcase_add_test(matches, games_of_gogui);
	tcase_add_test(matches, games_of_lines);
	tcase_add_test(matches, bad_arguments);
	suite_add_tcase(suite, matches);
	return suite_run(suite);
}
