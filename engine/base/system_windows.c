/* SPDX-License-Identifier: MIT */
#include "engine/base/system.h"

#include <windows.h>

#include <bcrypt.h>
#include <errno.h>
#include <fcntl.h>
#include <psapi.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "engine/base/memory.h"
#include "engine/base/system_private.h"
#include "engine/base/thread.h"

#define PATH_BYTES 32768 /* of the longest path of the system, in UTF-16 units */

/* Lines of files end as elsewhere. */
void system_start(void)
{
	_fmode = _O_BINARY;
}

void system_entropy(void *bytes, size_t count)
{
	if (BCryptGenRandom(NULL, bytes, (ULONG)count, BCRYPT_USE_SYSTEM_PREFERRED_RNG) != 0)
		abort(); /* every supported system has it */
}

/* A process has one group of up to 64 processors, or all of them. */
int system_processors(void)
{
	DWORD_PTR own = 0, all;
	if (GetActiveProcessorGroupCount() > 1)
		return (int)GetActiveProcessorCount(ALL_PROCESSOR_GROUPS);
	GetProcessAffinityMask(GetCurrentProcess(), &own, &all);
	return own ? __builtin_popcountll(own) : 1;
}

uint64_t system_peak_memory(void)
{
	PROCESS_MEMORY_COUNTERS counters = { 0 };
	GetProcessMemoryInfo(GetCurrentProcess(), &counters, sizeof counters);
	return counters.PeakWorkingSetSize;
}

/* --- this program --- */

long system_process(void)
{
	return (long)GetCurrentProcessId();
}

static char program[64];

char *system_program_path(void)
{
	char *path = xmalloc(PATH_BYTES);
	DWORD length = GetModuleFileNameA(NULL, path, PATH_BYTES);
	if (length > 0 && length < PATH_BYTES)
		return xrealloc(path, length + 1);
	free(path);
	return NULL;
}

__attribute__((constructor)) static void system_find_program(void)
{
	char *path = system_program_path();
	const char *name = path ? path_last(path) : "yomi";
	size_t length = strlen(name);
	if (length > 4 && _stricmp(name + length - 4, ".exe") == 0)
		length -= 4;
	snprintf(program, sizeof program, "%.*s", (int)length, name);
	free(path);
}

const char *system_program(void)
{
	return program;
}

void out_of_memory(void)
{
	static const char text[] = ": out of memory\n";
	HANDLE errors = GetStdHandle(STD_ERROR_HANDLE);
	DWORD written;
	/* These functions need no memory and no lock that another thread may hold. */
	WriteFile(errors, program, (DWORD)strlen(program), &written, NULL);
	WriteFile(errors, text, sizeof text - 1, &written, NULL);
	TerminateProcess(GetCurrentProcess(), EXIT_FAILURE);
	abort();
}

bool system_fail(void)
{
	switch (GetLastError()) {
	case ERROR_FILE_NOT_FOUND:
	case ERROR_PATH_NOT_FOUND:
	case ERROR_INVALID_NAME:
	case ERROR_BAD_NETPATH:
	case ERROR_BAD_PATHNAME:
		errno = ENOENT;
		break;
	case ERROR_ALREADY_EXISTS:
	case ERROR_FILE_EXISTS:
		errno = EEXIST;
		break;
	case ERROR_DISK_FULL:
		errno = ENOSPC;
		break;
	case ERROR_ACCESS_DENIED:
	case ERROR_SHARING_VIOLATION:
	case ERROR_LOCK_VIOLATION:
	case ERROR_WRITE_PROTECT:
		errno = EACCES;
		break;
	default:
		errno = EIO;
	}
	return false;
}

/* --- blocks --- */

/* Pages that take more memory at once need a right that few users have. */
void *block_create(size_t size)
{
	return VirtualAlloc(NULL, size, MEM_RESERVE | MEM_COMMIT, PAGE_READWRITE);
}

void block_destroy(void *p, size_t size)
{
	if (p)
		VirtualFree(p, 0, MEM_RELEASE);
}

#define CLEARED_MAX ((size_t)1 << 22) /* bytes; more of them may not be used again */

void block_clear(void *p, size_t size, size_t used)
{
	if (used <= CLEARED_MAX || !VirtualFree(p, size, MEM_DECOMMIT))
		memset(p, 0, used);
	else if (!VirtualAlloc(p, size, MEM_COMMIT, PAGE_READWRITE))
		out_of_memory();
}

/* --- threads --- */

int thread_start(pthread_t *thread, void *(*run)(void *), void *arg)
{
	pthread_attr_t attr;
	pthread_attr_init(&attr);
	pthread_attr_setstacksize(&attr, THREAD_STACK);
	int error = pthread_create(thread, &attr, run, arg);
	pthread_attr_destroy(&attr);
	return error;
}

char *system_host(void)
{
	char name[256] = "";
	DWORD room = sizeof name;
	GetComputerNameExA(ComputerNameDnsHostname, name, &room);
	return xstrdup(name);
}

void system_quote(struct text *line, const char *argument)
{
	text_puts(line, line->length ? " \"" : "\"");
	for (const char *at = argument; *at; at++) {
		size_t slashes = strspn(at, "\\");
		bool at_quote = !at[slashes] || at[slashes] == '"';
		for (size_t i = 0; i < slashes * (at_quote ? 2 : 1); i++)
			text_putc(line, '\\');
		at += slashes;
		if (!*at)
			break;
		text_puts(line, *at == '"' ? "\\\"" : (char[]) { *at, '\0' });
	}
	text_putc(line, '"');
}

void system_become(const char *path, char *const *argv)
{
	STARTUPINFOA start = { .cb = sizeof start };
	PROCESS_INFORMATION process;
	struct text line = { 0 };
	DWORD status = EXIT_FAILURE;
	char *file = path_last(path) == path ? NULL
		     : GetFileAttributesA(path) != INVALID_FILE_ATTRIBUTES
			     ? xstrdup(path)
			     : xasprintf("%s.exe", path);
	for (char *const *word = argv; *word; word++)
		system_quote(&line, word == argv && !file ? path : *word);
	/* Interrupts are for the other program. */
	SetConsoleCtrlHandler(NULL, TRUE);
	bool started = CreateProcessA(file, line.bytes, NULL, NULL, TRUE, 0, NULL, NULL, &start,
				      &process);
	if (!started) {
		system_fail();
		SetConsoleCtrlHandler(NULL, FALSE);
		text_free(&line);
		free(file);
		return;
	}
	WaitForSingleObject(process.hProcess, INFINITE);
	GetExitCodeProcess(process.hProcess, &status);
	exit((int)status);
}

/* --- folders and paths --- */

char *system_folder(enum system_folder folder)
{
	static const struct {
		const char *variable, *usual;
	} folders[] = {
		[SYSTEM_CONFIG] = { "XDG_CONFIG_HOME", "APPDATA" },
		[SYSTEM_DATA] = { "XDG_DATA_HOME", "APPDATA" },
		[SYSTEM_STATE] = { "XDG_STATE_HOME", "LOCALAPPDATA" },
	};
	const char *xdg = getenv(folders[folder].variable);
	const char *usual = getenv(folders[folder].usual);
	if (xdg && path_is_absolute(xdg))
		return xasprintf("%s/yomi", xdg);
	return usual && *usual ? xasprintf("%s/yomi", usual) : NULL;
}

const char *system_home(void)
{
	const char *home = getenv("USERPROFILE");
	return home && *home ? home : NULL;
}

bool path_is_slash(char c)
{
	return c == '/' || c == '\\';
}

/* A drive and a slash, or two slashes and a computer. A path like "/folder" has the drive of the current folder. */
bool path_is_absolute(const char *path)
{
	return path[0] && (path_is_slash(path[0]) ? path_is_slash(path[1])
						  : path[1] == ':' && path_is_slash(path[2]));
}

const char *path_last(const char *path)
{
	const char *last = path;
	for (const char *at = path; *at; at++)
		if (path_is_slash(*at) || (*at == ':' && at == path + 1))
			last = at + 1;
	return last;
}

/* --- conditions --- */

void thread_condition_init(pthread_cond_t *condition)
{
	pthread_cond_init(condition, NULL);
}

void thread_wait_until(pthread_cond_t *condition, pthread_mutex_t *mutex, int64_t until)
{
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	int64_t left = until - ((int64_t)now.tv_sec * 1000000000 + now.tv_nsec);
	if (left > 0)
		pthread_cond_timedwait_relative_np(
			condition, mutex,
			&(struct timespec) { left / 1000000000, (long)(left % 1000000000) });
}
