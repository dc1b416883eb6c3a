/* SPDX-License-Identifier: MIT
 *
 * Usage: sleeper MILLISECONDS
 * An engine of Tic-tac-toe that sleeps for a time, then takes the first free square. It stands for an engine that
 * thinks on another processor, so that many fit on one machine.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static char taken[9];

/* Returns a square's index from its text, A1 to C3. */
static int square(const char *text)
{
	return ((text[0] | 32) - 'a') + 3 * (text[1] - '1');
}

static void answer(const char *text)
{
	printf("= %s\n\n", text);
	fflush(stdout);
}

static void move(long milliseconds)
{
	char text[3] = "";
	const char *free_square = memchr(taken, 0, sizeof taken);
	int i = (int)(free_square ? free_square - taken : 0);
	nanosleep(&(struct timespec) { milliseconds / 1000, milliseconds % 1000 * 1000000 }, NULL);
	taken[i] = 1;
	text[0] = (char)('A' + i % 3);
	text[1] = (char)('1' + i / 3);
	answer(text);
}

int main(int argc, char **argv)
{
	char line[256], color[16], text[16];
	long milliseconds = argc > 1 ? strtol(argv[1], NULL, 10) : 0;
	while (fgets(line, sizeof line, stdin)) {
		if (strncmp(line, "quit", 4) == 0) {
			answer("");
			return 0;
		}
		if (strncmp(line, "list_commands", 13) == 0) {
			answer("boardsize\nclear_board\ngenmove\nlist_commands\nname\nplay\nquit\n"
			       "set_game\nversion");
		} else if (strncmp(line, "genmove", 7) == 0) {
			move(milliseconds);
		} else if (strncmp(line, "clear_board", 11) == 0) {
			memset(taken, 0, sizeof taken);
			answer("");
		} else if (sscanf(line, "play %15s %15s", color, text) == 2) {
			int i = square(text);
			if (i >= 0 && i < 9)
				taken[i] = 1;
			answer("");
		} else {
			answer(strncmp(line, "name", 4) == 0 ? "sleeper" : "");
		}
	}
	return 0;
}
