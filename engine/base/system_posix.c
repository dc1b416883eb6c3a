/* SPDX-License-Identifier: MIT */
#include "engine/base/system.h"

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/uio.h>
#include <unistd.h>

#include "engine/base/memory.h"
#include "engine/base/thread.h"

/* Opens descriptors 0 to 2 if they are closed; otherwise a socket or a database would get these numbers. They read as end of
 * input. They cannot be written, because lost output is an error. */
void system_start(void)
{
	int fd;
	do
		fd = open("/dev/null", O_RDONLY | O_CLOEXEC);
	while (fd >= 0 && fd <= STDERR_FILENO);
	close(fd);
	signal(SIGXFSZ, SIG_IGN); /* a file that may not grow is a failed write */
}

void system_entropy(void *bytes, size_t count)
{
	if (getentropy(bytes, count) != 0)
		abort(); /* every supported system has it */
}

void out_of_memory(void)
{
	char text[] = ": out of memory\n";
	const char *name = system_program();
	struct iovec parts[] = {
		{ (char *)name, strlen(name) },
		{ text, strlen(text) },
	};
	/* writev() and _exit() need no memory and no lock that another thread may hold. */
	(void)!writev(STDERR_FILENO, parts, 2);
	_exit(EXIT_FAILURE);
}

int thread_start(pthread_t *thread, void *(*run)(void *), void *arg)
{
	sigset_t all, old;
	pthread_attr_t attr;
	size_t usual = 0;
	pthread_attr_init(&attr);
	pthread_attr_getstacksize(&attr, &usual);
	if (usual < THREAD_STACK)
		pthread_attr_setstacksize(&attr, THREAD_STACK);
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &old);
	int error = pthread_create(thread, &attr, run, arg);
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	pthread_attr_destroy(&attr);
	return error;
}

char *system_host(void)
{
	char name[256] = "";
	gethostname(name, sizeof name - 1);
	return xstrdup(name);
}

void system_become(const char *path, char *const *argv)
{
	execvp(path, argv);
}

/* --- folders and paths --- */

long system_process(void)
{
	return getpid();
}

char *system_folder(enum system_folder folder)
{
	static const struct {
		const char *variable, *at_home;
	} folders[] = {
		[SYSTEM_CONFIG] = { "XDG_CONFIG_HOME", ".config" },
		[SYSTEM_DATA] = { "XDG_DATA_HOME", ".local/share" },
		[SYSTEM_STATE] = { "XDG_STATE_HOME", ".local/state" },
	};
	const char *xdg = getenv(folders[folder].variable), *home = system_home();
	/* The XDG Base Directory Specification says to ignore a relative path. */
	if (xdg && path_is_absolute(xdg))
		return xasprintf("%s/yomi", xdg);
	return home ? xasprintf("%s/%s/yomi", home, folders[folder].at_home) : NULL;
}

const char *system_home(void)
{
	const char *home = getenv("HOME");
	return home && *home ? home : NULL;
}

bool path_is_slash(char c)
{
	return c == '/';
}

bool path_is_absolute(const char *path)
{
	return path_is_slash(path[0]);
}

const char *path_last(const char *path)
{
	const char *slash = strrchr(path, '/');
	return slash ? slash + 1 : path;
}
