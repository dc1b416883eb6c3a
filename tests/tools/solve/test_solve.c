/* SPDX-License-Identifier: MIT
 *
 * Solving with yomi-solve: values and certificates agree with the truth, journals continue, and damaged journals and
 * certificates are refused or found out. The program is $YOMI_BUILD/yomi-solve.
 */
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/wait.h>
#include <unistd.h>
#include <zstd.h>

#include "engine/base/memory.h"
#include "engine/base/rng.h"
#include "protocol/program/certificate.h"
#include "tests/folder.h"
#include "tests/packed.h"
#include "tools/check/truth.h"
#include "tools/solve/graph.h"

#define OUTPUT_MAX 16384
#define TABLE      ((size_t)1 << 20) /* bytes of a check */
#define FILE_ROOM  ((size_t)16 << 20)

static char output[OUTPUT_MAX];

/* --- running programs and files --- */

/* Runs a line of the shell, in which $D is the test's folder, $S the program and $Y yomi. Its output on both channels
 * goes to `output`. Returns its exit status. */
__attribute__((format(printf, 1, 2))) static int run(const char *format, ...)
{
	char line[4096];
	va_list args;
	ck_assert_msg(getenv("YOMI") && getenv("YOMI_BUILD"), "$YOMI and $YOMI_BUILD are not set");
	int n = snprintf(line, sizeof line,
			 "exec 2>&1; S=\"$YOMI_BUILD/yomi-solve --quiet --memory=8\"; Y=$YOMI; ");
	va_start(args, format);
	vsnprintf(line + n, sizeof line - (size_t)n, format, args);
	va_end(args);
	FILE *out = popen(line, "r");
	ck_assert_ptr_nonnull(out);
	output[fread(output, 1, sizeof output - 1, out)] = '\0';
	int status = pclose(out);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

static char *read_file(const char *name, size_t *size)
{
	FILE *f = fopen(folder_path(name), "rb");
	ck_assert_msg(f, "%s: there is no %s", output, name);
	char *bytes = xmalloc(FILE_ROOM);
	*size = fread(bytes, 1, FILE_ROOM, f);
	fclose(f);
	return bytes;
}

static void write_file(const char *name, const void *bytes, size_t size)
{
	FILE *f = fopen(folder_path(name), "wb");
	ck_assert_ptr_nonnull(f);
	ck_assert_uint_eq(fwrite(bytes, 1, size, f), size);
	fclose(f);
}

/* The word after a title of the output. */
static const char *value_of(const char *title)
{
	static char word[64];
	const char *at = strstr(output, title);
	ck_assert_msg(at, "no %s in %s", title, output);
	ck_assert_int_eq(sscanf(at + strlen(title), "%63s", word), 1);
	return word;
}

/* --- positions --- */

/* Draws a position with so many empty squares. */
static void draw(const struct game *g, struct rng *rng, int wanted, struct state *s)
{
	do {
		g->start(g, s);
		while (!s->over && game_free(g, s) > wanted) {
			struct move moves[GAME_MOVES_MAX];
			int n = game_moves(g, s, moves);
			game_play(g, s, moves[rng_below(rng, (uint32_t)n)]);
		}
	} while (s->over);
}

static const char *const value_names[] = { "loss", "draw", "win" };

/* Checks all claims of a certificate. Returns true if all are verified. */
static bool check_all(const struct certificate *c)
{
	struct control control;
	struct state hole;
	uint64_t positions;
	bool good = true;
	control_init(&control, TIME_NEVER, WORK_NO_LIMIT);
	for (int i = 0; i < c->count; i++)
		good = certificate_check(c, i, TABLE, &control, &positions, &hole) == VERIFIED &&
		       good;
	return good;
}

/* Checks that the certificate in the test's folder proves this result of a position. */
static void check_certificate(const char *name, const struct game *g, const struct state *s,
			      int result)
{
	struct certificate c;
	char why[REASON_MAX];
	bool found[2] = { false, false };
	ck_assert_msg(certificate_read(folder_path(name), SIZE_MAX, &c, why), "%s", why);
	ck_assert_ptr_eq(c.game, g);
	ck_assert(state_equal(&c.start, s));
	ck_assert(check_all(&c));
	for (int i = 0; i < c.count; i++) {
		int sign = side_sign(c.claims[i].side);
		ck_assert_int_eq(c.claims[i].points, sign * result);
		found[c.claims[i].side] = true;
	}
	ck_assert_int_eq(found[BLACK], result >= 0);
	ck_assert_int_eq(found[WHITE], result <= 0);
	certificate_free(&c);
}

/* Solves a position and checks value and certificate. */
static void solve(struct truth *truth, const struct game *g, const struct state *s,
		  const char *options)
{
	char text[POSITION_TEXT_MAX];
	int result = score_sign(truth_score(truth, g, s));
	game_position(g, s, text);
	int status = run("rm -f $D/j; $S %s --rules=%s %s --journal=$D/j --certificate=$D/c %s",
			 g->name, g->rules, text, options);
	ck_assert_msg(status == 0, "%s: %s", text, output);
	ck_assert_str_eq(value_of("value     "), value_names[side_sign(s->side) * result + 1]);
	check_certificate("c", g, s, result);
}

/* Values and certificates agree with the truth, in trees of many leaves, by df-pn and by the solver, and with several
 * workers. */
START_TEST(test_truth)
{
	static const struct {
		const char *name;
		int free, count;
	} kinds[] = { { "tictactoe", 9, 40 },
		      { "connectfour", 17, 60 },
		      { "pentago", 9, 50 },
		      { "othello", 11, 50 } };
	static const char *const options[] = { "--no-solver --nodes=30", "--nodes=200",
					       "--no-solver --nodes=100 --threads=3",
					       "--threads=2" };
	struct truth *truth = truth_create((size_t)16 << 20);
	struct rng rng;
	rng_seed(&rng, 5);
	for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
		for (int i = 0; i < suite_times(kinds[k].count); i++) {
			const struct game *g = game_find(kinds[k].name, NULL);
			struct state s;
			draw(g, &rng, kinds[k].free - (int)rng_below(&rng, 4), &s);
			solve(truth, g, &s, options[i % 4]);
		}
	truth_destroy(truth);
}
END_TEST

/* In Breakthrough captures empty squares. A proof has a move for each position, also where few squares are empty. */
START_TEST(test_captures)
{
	static const char position[] = "OO.OOOOO...OX.X.XOXX.XXXX X";
	struct certificate c;
	char why[REASON_MAX];
	ck_assert_int_eq(
		run("$S breakthrough --size=5 %s --journal=$D/j --certificate=$D/c", position), 0);
	ck_assert_msg(certificate_read(folder_path("c"), SIZE_MAX, &c, why), "%s", why);
	ck_assert_int_gt(c.count, 0);
	ck_assert(check_all(&c));
	certificate_free(&c);
}
END_TEST

/* --- journals --- */

#define DRAWN_FILES "--no-solver --nodes=40 --journal=$D/j --certificate=$D/c"

static void find_drawn(struct state *s, char text[POSITION_TEXT_MAX])
{
	const struct game *g = game_find("connectfour", NULL);
	struct truth *truth = truth_create((size_t)16 << 20);
	struct rng rng;
	rng_seed(&rng, 3);
	do
		draw(g, &rng, 15, s);
	while (truth_score(truth, g, s) != 0);
	truth_destroy(truth);
	game_position(g, s, text);
}

/* A journal that ends anywhere is continued, to the same value and a complete proof. */
START_TEST(test_journal_cut)
{
	char text[POSITION_TEXT_MAX];
	const struct game *g = game_find("connectfour", NULL);
	struct state s;
	size_t size, length = 0, checked = 0;
	find_drawn(&s, text);
	ck_assert_int_eq(run("$S connectfour %s " DRAWN_FILES, text), 0);
	char *whole = read_file("j", &size);
	ck_assert_ptr_nonnull(memmem(whole, size, "\nc ", 3));
	for (size_t end = 0; end <= size; end += 1 + end / (size_t)suite_times(4)) {
		/* In a line, at its end, and behind its newline. */
		const char *line = memchr(whole + end, '\n', size - end);
		size_t ends[] = { end, line ? (size_t)(line - whole) : size,
				  line ? (size_t)(line - whole) + 1 : size };
		for (int i = 0; i < 3; i++, checked++) {
			write_file("j", whole, ends[i]);
			ck_assert_msg(run("$S connectfour %s " DRAWN_FILES, text) == 0, "%s",
				      output);
			ck_assert_str_eq(value_of("value     "), "draw");
			check_certificate("c", g, &s, 0);
		}
	}
	/* A complete journal is not written to, and nothing is searched. */
	write_file("j", whole, size);
	ck_assert_int_eq(run("$S connectfour %s " DRAWN_FILES, text), 0);
	char *again = read_file("j", &length);
	ck_assert_uint_eq(length, size);
	ck_assert_int_eq(memcmp(again, whole, size), 0);
	ck_assert_uint_ge(checked, (size_t)suite_times(60));
	free(again);
	free(whole);
}
END_TEST

/* Writes a journal and checks that the program refuses it with this message and leaves it as it was. */
static void refuse(const char *bytes, size_t size, const char *arguments, const char *why)
{
	size_t length;
	write_file("j", bytes, size);
	ck_assert_int_eq(run("$S %s --journal=$D/j", arguments), 1);
	ck_assert_msg(strstr(output, why), "%s: %s", why, output);
	char *after = read_file("j", &length);
	ck_assert_uint_eq(length, size);
	ck_assert_int_eq(memcmp(after, bytes, size), 0);
	free(after);
}

/* Journals of something else, and damaged ones, are refused and not changed. */
START_TEST(test_journal_refused)
{
	static const char *const lines[] = {
		"r\n",
		"x ......... X X 0 0 1 1,1\n",
		"r ......... X X 0 0 1\n",
		"r ......... X Y 0 0 1 1,1\n",
		"r ......... X X 1 0 1 1,1\n",
		"r ......... X X 2 2 1 1,1\n",
		"r ......... X X -1 1 -1 1,1\n",
		"r ......... X X -1 1 1 1,134217728\n",
		"r ......... X X -1 1 1 1,1 9:X:1,1\n",
		"r ......... X X -1 1 1 1,1 1:Z:1,1\n",
		"r X........ O X 0 0 1 1,1\n",
		"r XXX...... O X 0 0 1 1,1\n",
		"e X 2 ......... X A1\n",
		"e X 0 ......... X D1\n",
		"c Z 0 ......... X\n",
		"c X 0 ......... X A1\n",
	};
	char text[512];
	const char head[] = "yomi-solve 1 tictactoe standard 3 ......... X\n";
	for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
		snprintf(text, sizeof text, "%s%s", head, lines[i]);
		refuse(text, strlen(text), "tictactoe", "line 2 is damaged");
	}
	/* A side has one claim. */
	snprintf(text, sizeof text, "%sc X 0 ......... X\nc X 1 X........ O\n", head);
	refuse(text, strlen(text), "tictactoe", "line 3 is damaged");
	refuse(head, strlen(head), "tictactoe X........ O", "of another position");
	refuse(head, strlen(head), "connectfour", "of another position");
	refuse("yomi-solve 2 x\n", 15, "tictactoe", "of this version");
	refuse("my only copy", 12, "tictactoe", "not a journal");
	/* The proof must not replace the journal. */
	ck_assert_int_eq(run("$S tictactoe --journal=$D/k --certificate=$D/k"), 2);
	ck_assert_ptr_nonnull(strstr(output, "are the same file"));
	refuse("my only copy\n", 13, "tictactoe", "not a journal");
}
END_TEST

/* What cannot be solved, and files that cannot be used, give a clear message. */
START_TEST(test_refused)
{
	static const struct {
		const char *arguments, *why;
		int status;
	} wrong[] = {
		{ "go", "the moves before the position", 2 },
		{ "mahjong", "mahjong", 2 },
		{ "tictactoe XXXOO.... O", "over", 2 },
		{ "tictactoe .........", "BOARD SIDE", 2 },
		{ "tictactoe ........ X", "squares", 2 },
		{ "tictactoe --journal=$D/none/j", "No such file", 1 },
		{ "tictactoe --journal=$D", "directory", 1 },
		{ "tictactoe --journal=/dev/null", "regular", 1 },
		{ "tictactoe --journal=$D/j --certificate=$D/none/c", "No such file", 1 },
	};
	for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
		int status = run("$S %s", wrong[i].arguments);
		ck_assert_msg(status == wrong[i].status, "%d: %s", status, output);
		ck_assert_msg(strstr(output, wrong[i].why), "%s: %s", wrong[i].arguments, output);
	}
	write_file("j", "", 0);
	int fd = open(folder_path("j"), O_RDWR);
	ck_assert_int_eq(flock(fd, LOCK_EX), 0);
	ck_assert_int_eq(run("$S tictactoe --journal=$D/j"), 1);
	ck_assert_msg(strstr(output, "in use"), "%s", output);
	close(fd);
}
END_TEST

/* A full disk ends the run with a message. The same command continues when there is room. */
START_TEST(test_full)
{
	char text[POSITION_TEXT_MAX];
	struct state s;
	size_t size;
	find_drawn(&s, text);
	/* A limit of 1 or 2 KiB stands for the disk. */
	ck_assert_int_eq(run("trap '' XFSZ; ulimit -f 2; $S connectfour %s " DRAWN_FILES, text), 1);
	ck_assert_msg(strstr(output, "cannot write"), "%s", output);
	char *bytes = read_file("j", &size);
	ck_assert_uint_gt(size, 500);
	ck_assert_int_eq(bytes[size - 1], '\n');
	free(bytes);
	ck_assert_msg(run("$S connectfour %s " DRAWN_FILES, text) == 0, "%s", output);
	check_certificate("c", game_find("connectfour", NULL), &s, 0);
}
END_TEST

/* A run that has no time says so, and leaves a journal to continue. Workers that always ask do not hide it. */
START_TEST(test_time)
{
	char text[POSITION_TEXT_MAX];
	struct state s;
	find_drawn(&s, text);
	ck_assert_int_eq(run("$S connectfour %s " DRAWN_FILES " --time=0", text), 1);
	ck_assert_str_eq(value_of("value     "), "unknown");
	ck_assert_int_eq(run("$S connectfour %s " DRAWN_FILES, text), 0);
	ck_assert_str_eq(value_of("value     "), "draw");
}
END_TEST

/* --- certificates --- */

/* Makes the certificate of a position by one worker with one leaf, and returns its text. */
static char *make_text(const char *position, size_t *length)
{
	size_t size;
	ck_assert_msg(run("rm -f $D/j; $S %s --nodes=1000000 --journal=$D/j --certificate=$D/c",
			  position) == 0,
		      "%s", output);
	char *packed = read_file("c", &size), *text = xmalloc(FILE_ROOM);
	*length = ZSTD_decompress(text, FILE_ROOM - 1, packed, size);
	ck_assert(!ZSTD_isError(*length));
	text[*length] = '\0';
	free(packed);
	return text;
}

/* yomi verify tells what is proven, where a hole is, and why a file is refused. */
START_TEST(test_verify)
{
	static const struct {
		const char *from, *to, *why;
		int status;
		bool cuts; /* what follows */
	} changes[] = {
		{ "", "", "proven    draw\n", 0 },
		{ "claim O draw", "", "proven    draw or win\n", 0, true },
		{ "claim X draw", "claim X win\n......... X A1\nend 1\n", "hole      ", 1, true },
		{ "claim X draw", "claim X win", "malformed claim", 2 },
		{ "claim X draw", "", "claims nothing", 2, true },
		{ "......... X A1", "......... X A1 ", "no legal move", 2 },
		{ "......... X A1", "......... X D1", "no legal move", 2 },
		{ "......... X A1", "......... O A1", "malformed position", 2 },
		{ "......... X A1\n", "", "end is missing", 2 },
		{ "O B2", "O B1", "hole      ", 1 },
		{ "claim O draw", "claim X draw", "malformed claim", 2 },
		{ "claim O draw", "claim O loss", "malformed claim", 2 },
		{ "yomi-certificate 1", "yomi-certificate 2", "of this version", 2 },
		{ "game tictactoe", "game go", "cannot be verified", 2 },
		{ "game tictactoe", "game mahjong", "cannot be verified", 2 },
		{ "size 3", "size 4", "cannot be verified", 2 },
		{ "rules standard", "rules other", "cannot be verified", 2 },
		{ "position .........", "position X........", "malformed position", 2 },
	};
	size_t length;
	char *text = make_text("tictactoe", &length), changed[4096];
	for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
		const char *at = strstr(text, changes[i].from);
		ck_assert_msg(at, "%s is not in %s", changes[i].from, text);
		int n = snprintf(changed, sizeof changed, "%.*s%s%s", (int)(at - text), text,
				 changes[i].to,
				 changes[i].cuts ? "" : at + strlen(changes[i].from));
		packed_write(folder_path("x"), changed, (size_t)n, SIZE_MAX);
		int status = run("$Y verify $D/x");
		ck_assert_msg(status == changes[i].status && strstr(output, changes[i].why),
			      "%s: %d %s", changes[i].to, status, output);
	}
	ck_assert_int_eq(run("$Y verify $D/none"), 2);
	ck_assert_int_eq(run("$Y verify $D"), 2);
	ck_assert_int_eq(run("$Y verify"), 2);
	write_file("x", text, length);
	ck_assert_int_eq(run("$Y verify $D/x"), 2);
	free(text);
}
END_TEST

/* Reads a file that was damaged. Returns true if it can be read and all its claims are verified; they must then be
 * true. */
static bool is_verified(struct truth *truth, const char *name)
{
	struct certificate c;
	char why[REASON_MAX];
	bool good = certificate_read(folder_path(name), TABLE, &c, why) && check_all(&c);
	for (int i = 0; i < c.count && good; i++) {
		int score = truth_score(truth, c.game, &c.start);
		ck_assert_int_ge(side_sign(c.claims[i].side) * score, c.claims[i].points);
	}
	certificate_free(&c);
	return good;
}

/* Files that are cut off or changed anywhere are refused, or prove only what is true. */
START_TEST(test_damaged)
{
	struct truth *truth = truth_create(TABLE);
	size_t length, size;
	const struct game *g = game_find("pentago", NULL);
	char position[POSITION_TEXT_MAX], line[POSITION_TEXT_MAX + 16];
	struct state s;
	struct rng rng;
	int verified = 0;
	rng_seed(&rng, 1);
	draw(g, &rng, 9, &s);
	game_position(g, &s, position);
	snprintf(line, sizeof line, "pentago %s", position);
	char *text = make_text(line, &length);
	char *packed = read_file("c", &size), *copy = xmalloc(length + 1);
	ck_assert(is_verified(truth, "c"));
	for (size_t end = 0; end < size; end += 1 + size / 100) {
		write_file("x", packed, end);
		ck_assert(!is_verified(truth, "x"));
	}
	for (int i = 0; i < 200; i++) {
		size_t at = rng_below(&rng, (uint32_t)size);
		char old = packed[at];
		packed[at] ^= (char)(1 << rng_below(&rng, 8));
		write_file("x", packed, size);
		verified += is_verified(truth, "x");
		packed[at] = old;
	}
	for (int i = 0; i < 2000; i++) {
		static const char alphabet[] = "XO. \n0123456789ABCDEFTLRSdrawinclm";
		memcpy(copy, text, length);
		for (int k = (int)rng_below(&rng, 3); k >= 0; k--)
			copy[rng_below(&rng, (uint32_t)length)] =
				alphabet[rng_below(&rng, sizeof alphabet - 1)];
		packed_write(folder_path("x"), copy, length - (i % 4 ? 0 : rng_below(&rng, 20)),
			     SIZE_MAX);
		verified += is_verified(truth, "x");
	}
	ck_assert_int_lt(verified, 400);
	free(packed);
	free(copy);
	free(text);
	truth_destroy(truth);
}
END_TEST

/* A move that loses is found out wherever the check uses it. */
START_TEST(test_wrong_moves)
{
	struct truth *truth = truth_create(TABLE);
	struct certificate c;
	char why[REASON_MAX], text[POSITION_TEXT_MAX], position[POSITION_TEXT_MAX + 16];
	const struct game *g = game_find("connectfour", NULL);
	struct state s;
	size_t length;
	int wrong = 0;
	find_drawn(&s, text);
	snprintf(position, sizeof position, "connectfour %s", text);
	free(make_text(position, &length));
	ck_assert(certificate_read(folder_path("c"), SIZE_MAX, &c, why));
	for (int i = 0; i < c.count; i++) {
		struct certificate_claim *claim = &c.claims[i];
		for (size_t k = 0; k < claim->count && wrong < 300; k++) {
			struct certificate_entry *e = &claim->entries[k], old = *e;
			struct move moves[GAME_MOVES_MAX];
			certificate_state(g, &e->key, &s);
			int n = game_moves(g, &s, moves);
			/* An entry that is not found as itself, because its key changed, is a hole if it is used. */
			e->move = move_none();
			bool used = !check_all(&c);
			for (int m = 0; m < n && used; m++) {
				struct state next = s;
				game_play(g, &next, moves[m]);
				if (side_sign(claim->side) * truth_score(truth, g, &next) >=
				    claim->points)
					continue;
				e->move = moves[m];
				ck_assert(!check_all(&c));
				wrong++;
			}
			*e = old;
		}
	}
	ck_assert_int_gt(wrong, 20);
	ck_assert(check_all(&c));
	certificate_free(&c);
	truth_destroy(truth);
}
END_TEST

/* --- the graph --- */

/* Leases go to different leaves, and the last one leaves none. Released leaves can be leased again. */
START_TEST(test_leases)
{
	const struct game *g = game_find("tictactoe", NULL);
	struct graph_path paths[16];
	struct state s;
	int count = 0;
	g->start(g, &s);
	struct graph *graph = graph_create(g, &s);
	ck_assert(graph_lease(graph, BLACK, &paths[0]));
	ck_assert(!graph_lease(graph, BLACK, &paths[1]));
	ck_assert(!graph_lease(graph, WHITE, &paths[1]));
	graph_release(graph, &paths[0]);
	graph_expand(graph, 0, NULL);
	/* The corner, the edge and the centre. */
	ck_assert_uint_eq(graph_nodes(graph), 4);
	while (count < 16 && graph_lease(graph, BLACK, &paths[count]))
		count++;
	ck_assert_int_eq(count, 3);
	for (int i = 0; i < count; i++)
		for (int k = 0; k < i; k++)
			ck_assert_uint_ne(paths[i].nodes[1], paths[k].nodes[1]);
	graph_release(graph, &paths[1]);
	ck_assert(graph_lease(graph, WHITE, &paths[3]));
	ck_assert_uint_eq(paths[3].nodes[1], paths[1].nodes[1]);
	graph_destroy(graph);
}
END_TEST

/* What children prove settles the root, for one question and then for both. */
START_TEST(test_settling)
{
	const struct game *g = game_find("tictactoe", NULL);
	const uint32_t unknown[2] = { 0, 0 };
	struct graph_path path;
	struct state s;
	int lower, upper;
	g->start(g, &s);
	struct graph *graph = graph_create(g, &s);
	graph_expand(graph, 0, NULL);
	graph_update(graph, 1, 0, 1, WHITE, unknown);
	graph_bounds(graph, 0, &lower, &upper);
	ck_assert_int_eq(lower, 0);
	ck_assert_int_eq(upper, 1);
	ck_assert(!graph_lease(graph, WHITE, &path));
	for (uint32_t i = 1; i <= 3; i++) {
		ck_assert(graph_lease(graph, BLACK, &path));
		graph_release(graph, &path);
		graph_update(graph, i, -1, 0, BLACK, unknown);
	}
	graph_bounds(graph, 0, &lower, &upper);
	ck_assert_int_eq(lower, 0);
	ck_assert_int_eq(upper, 0);
	ck_assert(!graph_lease(graph, BLACK, &path));
	graph_destroy(graph);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("solve");
	TCase *cases = tcase_create("solve"), *alone = suite_alone_case(suite);
	tcase_add_checked_fixture(alone, folder_create, folder_remove);
	tcase_add_checked_fixture(cases, folder_create, folder_remove);
	tcase_add_test(cases, test_truth);
	tcase_add_test(cases, test_captures);
	tcase_add_test(cases, test_journal_cut);
	tcase_add_test(alone, test_journal_refused);
	tcase_add_test(alone, test_refused);
	tcase_add_test(alone, test_full);
	tcase_add_test(cases, test_time);
	tcase_add_test(cases, test_verify);
	tcase_add_test(alone, test_damaged);
	tcase_add_test(alone, test_wrong_moves);
	tcase_add_test(cases, test_leases);
	tcase_add_test(cases, test_settling);
	suite_add_tcase(suite, cases);
	return suite_run(suite);
}
