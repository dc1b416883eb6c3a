/* SPDX-License-Identifier: MIT
 *
 * Runs a fuzz target without libFuzzer on the files or folders of the command line, by default on
 * tests/fuzz/corpus/NAME. A child process does the work, so that the parent can name the input that
 * crashed it.
 */
#include <dirent.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/fuzz/fuzz.h"

#define CORPUS   "tests/fuzz/corpus/"
#define PATH_LEN 1024

struct progress {
	int count;
	char path[PATH_LEN]; /* path of the last input */
};

static void replay_file(const char *path, struct progress *p)
{
	FILE *f = fopen(path, "re");
	char *bytes;
	size_t length, n;
	char piece[4096];
	if (!f) {
		perror(path);
		exit(EXIT_FAILURE);
	}
	FILE *all = open_memstream(&bytes, &length);
	assert(all);
	while ((n = fread(piece, 1, sizeof piece, f)) > 0)
		fwrite(piece, 1, n, all);
	fclose(f);
	fclose(all);
	snprintf(p->path, sizeof p->path, "%s", path);
	p->count++;
	LLVMFuzzerTestOneInput((const uint8_t *)bytes, length);
	free(bytes);
}

static void replay(const char *path, struct progress *p)
{
	struct dirent **entries;
	int n = scandir(path, &entries, NULL, alphasort);
	if (n < 0)
		replay_file(path, p);
	for (int i = 0; i < n; i++) {
		char *inside;
		if (asprintf(&inside, "%s/%s", path, entries[i]->d_name) < 0)
			abort();
		if (entries[i]->d_name[0] != '.')
			replay_file(inside, p);
		free(inside);
		free(entries[i]);
	}
	if (n >= 0)
		free(entries);
}

int main(int argc, char **argv)
{
	const char *slash = strrchr(argv[0], '/'), *name = slash ? slash + 1 : argv[0];
	char corpus[PATH_LEN];
	int status;
	struct progress *p = mmap(NULL, sizeof *p, PROT_READ | PROT_WRITE,
				  MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (p == MAP_FAILED)
		return EXIT_FAILURE;
	snprintf(corpus, sizeof corpus, CORPUS "%s", name);
	pid_t child = fork();
	if (child == 0) {
		for (int i = 1; i < argc; i++)
			replay(argv[i], p);
		if (argc == 1)
			replay(corpus, p);
		exit(EXIT_SUCCESS);
	}
	if (child < 0 || waitpid(child, &status, 0) != child)
		return EXIT_FAILURE;
	bool good = WIFEXITED(status) && WEXITSTATUS(status) == 0 && p->count > 0;
	if (good)
		printf("fuzz %s: %d inputs, all well\n", name, p->count);
	else
		fprintf(stderr, "fuzz %s: failed on input %d, %s\n", name, p->count, p->path);
	return good ? EXIT_SUCCESS : EXIT_FAILURE;
}
