/* SPDX-License-Identifier: MIT
 *
 * Modes and flags of the program, and main().
 */
#include <errno.h>
#include <event2/event.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "engine/algorithm.h"
#include "engine/kernel.h"
#include "engine/perft.h"
#include "engine/version.h"
#include "games/games.h"
#include "protocol/front/listen.h"
#include "protocol/front/loop.h"
#include "protocol/front/server.h"
#include "protocol/front/stdio.h"
#include "protocol/front/terminal.h"
#include "protocol/gtp/gtp.h"
#include "protocol/nboard.h"
#include "protocol/program/arguments.h"
#include "protocol/program/bench.h"
#include "protocol/program/complete.h"
#include "protocol/program/help.h"
#include "protocol/program/solve.h"
#include "protocol/program/tools.h"
#include "protocol/web/web.h"

#define EXIT_USAGE 2

/* Writes an error message. Returns EXIT_USAGE. */
__attribute__((format(printf, 1, 2))) static int complain(const char *format, ...)
{
	char why[COMPLAINT_MAX];
	va_list args;
	va_start(args, format);
	vsnprintf(why, sizeof why, format, args);
	va_end(args);
	/* A suggestion ("did you mean ...?") needs no hint at --help. */
	size_t length = strlen(why);
	bool asks = length && why[length - 1] == '?';
	fprintf(stderr, "yomi: %s%s\n", why, asks ? "" : "; see yomi --help");
	return EXIT_USAGE;
}

/* Returns a game with the given or its default rules. Returns NULL after an error message if there is
 * none. */
static const struct game *find_game(const char *name, const char *rules)
{
	char why[COMPLAINT_MAX];
	const struct game *g = arguments_game(name, rules, why);
	if (!g)
		complain("%s", why);
	return g;
}

/* Reads the number of a flag. Without the flag the value is unchanged. Returns false after an error
 * message. */
static bool read_number(const char *name, const char *text, int min, int max, int *value)
{
	if (!text || (gtp_int(text, value) && *value >= min && *value <= max))
		return true;
	complain("%s is a whole number from %d to %d", name, min, max);
	return false;
}

/* Reads the settings of a server. Returns false after an error message. */
static bool read_serving(const struct arguments *a, struct serving *serving)
{
	*serving = (struct serving) {
		.address = a->listen,
		.anywhere = a->listen_anywhere,
		.files = a->listen_files,
		.clients = SERVER_CLIENTS,
		.line_max = SERVER_LINE_MAX,
		.idle = SERVER_IDLE,
	};
	return read_number("clients", a->clients, 1, SERVER_CLIENTS_MAX, &serving->clients) &&
	       read_number("line-max", a->line_max, 64, (int)SESSION_LINE_MAX,
			   &serving->line_max) &&
	       read_number("idle", a->idle, 0, 1000000, &serving->idle);
}

static int run_listen(const struct arguments *a, const struct start *start)
{
	struct serving serving;
	if (start->commands)
		return complain("--command and --listen exclude each other");
	return read_serving(a, &serving) ? listen_run(start, &serving) : EXIT_USAGE;
}

static int run_web(const struct arguments *a)
{
	const struct game *g = find_game(a->game, a->rules);
	struct start start = {
		.game = g, .options = &a->options, .settings = &a->settings, .log = a->log
	};
	struct serving serving;
	if (a->listen || a->commands)
		return complain("web takes no --listen or --command");
	if (!g || !read_serving(a, &serving))
		return EXIT_USAGE;
	serving.address = a->count ? a->words[0] : WEB_ADDRESS;
	serving.yields = a->count == 0;
	return web_run(&start, &serving);
}

static const char *const color_choices[] = { "auto", "always", "never", NULL };

/* By default only terminals get colours, unless NO_COLOR is set (https://no-color.org). */
static bool wants_colors(const char *choice)
{
	const char *no_color = getenv("NO_COLOR");
	if (choice && strcmp(choice, "auto") != 0)
		return strcmp(choice, "always") == 0;
	return terminal_is_there() && !(no_color && *no_color);
}

static const char *const protocols[] = { "gtp", "nboard", NULL };

static int run_gtp(const struct arguments *a)
{
	const struct game *g = find_game(a->game, a->rules);
	struct settings settings = a->settings;
	struct start start = { .game = g,
			       .options = &a->options,
			       .settings = &settings,
			       .log = a->log,
			       .commands = a->commands };
	if (!g)
		return EXIT_USAGE;
	start.protocols = !a->protocol                      ? protocols_all
			  : strcmp(a->protocol, "gtp") == 0 ? protocols_gtp
							    : protocols_nboard;
	if (a->gogui)
		settings.frame = settings.live_gfx = true;
	if (a->listen)
		return run_listen(a, &start);
	start.colors = wants_colors(a->color);
	return terminal_is_there() && start.protocols != protocols_nboard
		       ? terminal_run(&start, !a->no_board)
		       : stdio_run(&start);
}

static int run_perft(const struct arguments *a)
{
	static struct perft perft;
	static char text[PERFT_TEXT_MAX];
	struct state start;
	const char *reason = NULL;
	int depth;
	const struct game *g = find_game(a->words[0], a->rules);
	if (!g)
		return EXIT_USAGE;
	if (!gtp_int(a->words[1], &depth) || depth < 1 || depth > PERFT_DEPTH_MAX)
		return complain("the depth is a number from 1 to %d", PERFT_DEPTH_MAX);
	g->start(&start);
	if (a->count > 2)
		reason = a->count == 4 ? game_setup(g, &start, a->words[2], a->words[3])
				       : "a position is a board and a side";
	if (reason)
		return complain("%s", reason);
	perft_count(g, &start, depth, &perft);
	perft_format(&perft, text, sizeof text);
	puts(text);
	return 0;
}

static int run_solve(const struct arguments *a)
{
	struct options options = a->options;
	struct solve_setting setting = {
		.game = find_game(a->words[0], a->rules),
		.options = &options,
		.count = a->count - 1,
		.words = a->words + 1,
		.file = a->file,
		.has_limit = arguments_have(a, "time"),
		.values = a->all,
		.verify = a->verify,
		.json = a->json,
	};
	if (!setting.game)
		return EXIT_USAGE;
	if (setting.count && setting.file)
		return complain("positions are on the command line or in a file");
	setting.prover = algorithm_prover(setting.game);
	if (options.search != SEARCH_AUTO) {
		/* Only the search that the user chose may prove the value. */
		setting.prover = algorithm_chosen(&options, setting.game);
		options.exact = false;
	}
	return solve_run(&setting);
}

static int run_bench(const struct arguments *a)
{
	return a->signature ? bench_signature() : bench_run();
}

/* If standard output is a terminal, which cannot show this output, tells what to type and returns true. */
static bool is_for_no_terminal(const char *what, const char *command)
{
	if (!isatty(STDOUT_FILENO))
		return false;
	fprintf(stderr, "yomi: a terminal does not show %s; type: %s\n", what, command);
	return true;
}

static int run_manual(const struct arguments *a)
{
	if (is_for_no_terminal("a man page as it is", "yomi manual | man -l -"))
		return EXIT_USAGE;
	help_manual(stdout, a->program);
	return 0;
}

static int run_complete(const struct arguments *a)
{
	complete_print(stdout, a->program, a->count, a->words);
	return 0;
}

static const struct mode modes[] = {
	{ "gtp", 0, 0, "", "speak GTP on standard input and output (the default)", NULL, run_gtp },
	{ "web", 0, 1, "[ADDRESS]",
	  "serve a page with a board to browsers on 127.0.0.1:PORT, [::1]:PORT or PORT; port 0 is "
	  "any, "
	  "and so is one if none is said and 8043 is taken; the page's address is printed",
	  NULL, run_web },
	{ "perft", 2, 4, "GAME DEPTH [BOARD SIDE]",
	  "count the games of each length, from the start or from a position: its squares from the "
	  "top left, row by row (X or *, O, '.' or -), and the side to move (X or O)",
	  "rules kernel", run_perft },
	{ "solve", 1, INT_MAX, "GAME [BOARD SIDE]...",
	  "find the exact value of positions: win, draw or loss for the side to move, and of "
	  "Othello the score, in discs for that side. They are given as for perft, or one a line "
	  "in a file or on standard input, where # begins a comment (so do ; and %, and in lines "
	  "with tabs other columns are not read). Where the game has a solver of its own and "
	  "memory suffices, that finds it, in Pentago after df-pn has tried; else df-pn does, in "
	  "Othello alphabeta, or the search that is named. There is no limit of time "
	  "unless --time is given, for each position. A line of play that keeps the value follows, "
	  "as far as it is found in as much time again. SIGINT prints what is known and ends it. "
	  "The exit status is 0, or 1 if something was not solved or not verified",
	  "rules file all json verify exact search threads memory time nodes seed kernel",
	  run_solve },
	{ "bench", 0, 0, "",
	  "measure the speed of games and searches; the last line is the signature of the "
	  "searches, which is the same on every machine",
	  "kernel signature", run_bench },
	{ "manual", 0, 0, "", "print the man page, as `man -l -` reads it", "", run_manual },
	{ "complete", 0, INT_MAX, "-- [WORD...]",
	  "print what the last word of a command line may become; shells ask this", "",
	  run_complete },
	{ 0 },
};

#define AT(field) offsetof(struct arguments, field)

static const struct flag flags[] = {
	{ "game", "GAME", "the game to begin with", AT(game), .in_config = true },
	{ "rules", "RULES", "the rule set of the game", AT(rules), .in_config = true },
	{ "command", "LINE",
	  "run a line of GTP and print its answer before anything is read; several run one after "
	  "the other",
	  AT(commands), .repeated = true },
	{ "log", "FILE", "append a time-stamped transcript of both directions to FILE", AT(log),
	  .in_config = true },
	{ "listen", "ADDRESS",
	  "serve GTP to clients of a socket: 127.0.0.1:PORT, [::1]:PORT or PORT; port 0 is any",
	  AT(listen) },
	{ "listen-anywhere", NULL, "listen on an address that other machines can reach, too",
	  AT(listen_anywhere) },
	{ "listen-files", NULL, "let clients of the socket read and write files",
	  AT(listen_files) },
	{ "clients", "COUNT",
	  "clients of the socket, or games that browsers have, at once, 8 if not said; they share "
	  "the "
	  "memory",
	  AT(clients) },
	{ "line-max", "BYTES", "longest line from a client of the socket, 1048576 if not said",
	  AT(line_max) },
	{ "idle", "SECONDS",
	  "send a client of the socket away that sends nothing for so long, or end a game that no "
	  "page "
	  "has open, 3600 if not said; 0 never",
	  AT(idle) },
	{ "gogui", NULL, "be at home in GoGui: --frame --live_gfx", AT(gogui) },
	{ "protocol", "PROTOCOL",
	  "what to speak; if it is not said, the first line that is read tells, which is `nboard "
	  "2` "
	  "from NBoard",
	  AT(protocol), .choices = protocols, .in_config = true },
	{ "color", "WHEN", "colours on boards; auto is on a terminal, if NO_COLOR is not set",
	  AT(color), .choices = color_choices, .in_config = true },
	{ "no-board", NULL, "on a terminal, draw the board only when it is asked for",
	  AT(no_board) },
	{ "file", "FILE", "solve: positions, one a line", AT(file), .named_only = true },
	{ "all", NULL, "solve: the value of every move, too; in Othello its score", AT(all),
	  .named_only = true },
	{ "json", NULL, "solve: print a JSON object a line", AT(json), .named_only = true },
	{ "verify", NULL,
	  "solve: check the proof by the rules alone, for the side of which it is claimed one move "
	  "and for the other all of them, down to finished games; in a quarter of the memory and "
	  "as much time "
	  "again; of draws it takes far longer than the search",
	  AT(verify), .named_only = true },
	{ "kernel", "KERNEL",
	  "instructions of the processor to use: auto (default) takes the fastest that it has; all "
	  "give equal results",
	  AT(kernel), .choices = kernel_names },
	{ "signature", NULL, "bench: print only the signature", AT(signature), .named_only = true },
	{ "config", "FILE", "read the options of FILE, not of the user's config file", AT(config) },
	{ "no-config", NULL, "read no config file", AT(no_config) },
	{ "help", NULL, "explain the program, or a mode, and leave", AT(help) },
	{ "version", NULL, "print commit, kernel and libraries and leave", AT(version) },
	{ 0 },
};

static const struct program program = { modes, flags };

/* Opens descriptors 0 to 2 if they are closed; otherwise the event loop's descriptors would get these
 * numbers. They read as end of input. They cannot be written, because lost output is an error. */
static void open_standard(void)
{
	int fd;
	do
		fd = open("/dev/null", O_RDONLY | O_CLOEXEC);
	while (fd >= 0 && fd <= STDERR_FILENO);
	close(fd);
}

static void print_version(void)
{
	printf("%s %s\ncommit: %s\nkernel: %s, fastest: %s\nlibraries: libevent_core %s\n",
	       VERSION_NAME, VERSION_NUMBER, version_commit(), kernel_names[kernel_used()],
	       kernel_names[kernel_best()], event_get_version());
}

/* Runs the mode, --help or --version. Returns the exit status. */
static int run(const struct arguments *a)
{
	games_init();
	if (a->help) {
		help_print(stdout, a->program, a->mode_given ? a->mode : NULL);
	} else if (a->version) {
		print_version();
	} else {
		return a->mode->run(a);
	}
	return 0;
}

/* Selects the kernel of --kernel. Returns false after an error message if this processor cannot run it. */
static bool choose_kernel(const char *name)
{
	for (enum kernel k = KERNEL_AUTO; name && k < KERNELS; k++)
		if (strcmp(name, kernel_names[k]) == 0 && !kernel_choose(k)) {
			complain("this processor cannot run the kernel %s, only %s", name,
				 kernel_names[kernel_best()]);
			return false;
		}
	return true;
}

int main(int argc, char **argv)
{
	struct arguments a;
	char why[COMPLAINT_MAX];
	open_standard();
	if (argc > 1 && tool_is(argv[1]))
		return tool_start(argv + 1);
	loop_init();
	bool good = arguments_read(&a, &program, argc - 1, argv + 1, why);
	int status = !good ? complain("%s", why) : !choose_kernel(a.kernel) ? EXIT_USAGE : run(&a);
	arguments_free(&a);
	bool flushed = fflush(stdout) == 0;
	if (flushed && !ferror(stdout))
		return status;
	/* No message if the reader has closed the pipe. The reason of an earlier failure is not known any
	 * more. */
	if (errno != EPIPE)
		fprintf(stderr, "yomi: the output could not be written%s%s\n", flushed ? "" : ": ",
			flushed ? "" : strerror(errno));
	return EXIT_FAILURE;
}
