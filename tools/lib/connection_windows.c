/* SPDX-License-Identifier: MIT
 *
 * Nothing can wait for a pipe and for another event. So two threads pump the output and the input of a process through a pair of
 * sockets.
 */
#include <winsock2.h>
#include <ws2tcpip.h>

#include <windows.h>

#include <errno.h>
#include <io.h>
#include <limits.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "engine/base/memory.h"
#include "engine/base/stream.h"
#include "engine/base/system_private.h"
#include "engine/base/thread.h"
#include "engine/search/common/control.h"
#include "tools/lib/connection_private.h"

#define PUMPED_MAX 65536 /* bytes of a read or write */
#define FAULT      11    /* the signal of other systems for an exception that nobody handles */

/* --- pumps --- */

/* Belongs to two threads; the last one frees it. */
struct pump {
	SOCKET socket;
	HANDLE to, from; /* pipes of the process */
	atomic_int users;
};

static void pump_leave(struct pump *p)
{
	if (atomic_fetch_sub(&p->users, 1) > 1)
		return;
	closesocket(p->socket);
	free(p);
}

static void *pump_output(void *arg)
{
	struct pump *p = arg;
	char bytes[PUMPED_MAX];
	DWORD n;
	bool is_open = true;
	while (is_open && ReadFile(p->from, bytes, sizeof bytes, &n, NULL) && n)
		for (int sent = 0, count; is_open && sent < (int)n; sent += count)
			is_open = (count = send(p->socket, bytes + sent, (int)n - sent, 0)) > 0;
	CloseHandle(p->from);
	shutdown(p->socket, SD_SEND);
	pump_leave(p);
	return NULL;
}

/* After a process has closed its input, the other side cannot write. */
static void *pump_input(void *arg)
{
	struct pump *p = arg;
	char bytes[PUMPED_MAX];
	int n;
	bool is_open = true;
	while (is_open && (n = recv(p->socket, bytes, sizeof bytes, 0)) > 0) {
		DWORD written;
		for (int done = 0; is_open && done < n; done += (int)written)
			is_open = WriteFile(p->to, bytes + done, (DWORD)(n - done), &written, NULL);
	}
	CloseHandle(p->to);
	shutdown(p->socket, SD_RECEIVE);
	pump_leave(p);
	return NULL;
}

/* Closes the pipes of a process if the pumps cannot start. */
static bool pump_start(struct connection *c, HANDLE to, HANDLE from)
{
	struct channel pair; /* its ends are sockets that do not block */
	pthread_t thread;
	u_long off = 0;
	if (!channel_open(&pair)) {
		CloseHandle(to);
		CloseHandle(from);
		return false;
	}
	struct pump *p = xcalloc(1, sizeof *p);
	*p = (struct pump) { .socket = (SOCKET)pair.out, .to = to, .from = from };
	atomic_init(&p->users, 2);
	ioctlsocket(p->socket, (long)FIONBIO, &off);
	connection_init(c, pair.in, pair.in);
	void *(*const pumps[])(void *) = { pump_output, pump_input };
	for (int i = 0; i < 2; i++) {
		if (thread_start(&thread, pumps[i], p) != 0)
			out_of_memory();
		pthread_detach(thread);
	}
	return true;
}

/* --- a process --- */

/* The handles that a process inherits. */
struct inherited {
	HANDLE in, out, err;
};

static HANDLE inherited_error(FILE *err)
{
	SECURITY_ATTRIBUTES all = { .nLength = sizeof all, .bInheritHandle = TRUE };
	HANDLE copy = INVALID_HANDLE_VALUE, own = GetCurrentProcess();
	if (!err)
		return CreateFileA("NUL", GENERIC_WRITE, FILE_SHARE_READ | FILE_SHARE_WRITE, &all,
				   OPEN_EXISTING, 0, NULL);
	DuplicateHandle(own, (HANDLE)_get_osfhandle(_fileno(err)), own, &copy, 0, TRUE,
			DUPLICATE_SAME_ACCESS);
	return copy;
}

/* Creates a job whose processes end with this one. */
static HANDLE connection_make_job(void)
{
	HANDLE job = CreateJobObjectA(NULL, NULL);
	JOBOBJECT_EXTENDED_LIMIT_INFORMATION limits = {
		.BasicLimitInformation.LimitFlags = JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE,
	};
	SetInformationJobObject(job, JobObjectExtendedLimitInformation, &limits, sizeof limits);
	return job;
}

/* Starts a command line with these handles and no others. */
static bool connection_create(struct connection *c, char *line, const struct inherited *handles)
{
	HANDLE list[] = { handles->in, handles->out, handles->err };
	STARTUPINFOEXA start = { .StartupInfo = { .cb = sizeof start,
						  .dwFlags = STARTF_USESTDHANDLES,
						  .hStdInput = handles->in,
						  .hStdOutput = handles->out,
						  .hStdError = handles->err } };
	PROCESS_INFORMATION process;
	SIZE_T size = 0;
	InitializeProcThreadAttributeList(NULL, 1, 0, &size);
	start.lpAttributeList = xmalloc(size);
	InitializeProcThreadAttributeList(start.lpAttributeList, 1, 0, &size);
	UpdateProcThreadAttribute(start.lpAttributeList, 0, PROC_THREAD_ATTRIBUTE_HANDLE_LIST, list,
				  sizeof list, NULL, NULL);
	bool started = CreateProcessA(NULL, line, NULL, NULL, TRUE,
				      CREATE_SUSPENDED | CREATE_NEW_PROCESS_GROUP |
					      EXTENDED_STARTUPINFO_PRESENT,
				      NULL, NULL, &start.StartupInfo, &process);
	if (!started)
		system_fail();
	DeleteProcThreadAttributeList(start.lpAttributeList);
	free(start.lpAttributeList);
	if (!started)
		return false;
	HANDLE job = connection_make_job();
	AssignProcessToJobObject(job, process.hProcess);
	ResumeThread(process.hThread);
	CloseHandle(process.hThread);
	c->pid = (long)process.dwProcessId;
	c->handle = (intptr_t)process.hProcess;
	c->group = (intptr_t)job;
	return true;
}

/* Frees the line. */
static bool connection_spawn(struct connection *c, char *line, FILE *err)
{
	SECURITY_ATTRIBUTES all = { .nLength = sizeof all, .bInheritHandle = TRUE };
	struct inherited handles = { .err = inherited_error(err) };
	HANDLE to, from;
	connection_init(c, -1, -1);
	errno = EMFILE;
	if (!CreatePipe(&handles.in, &to, &all, 0))
		return false;
	if (!CreatePipe(&from, &handles.out, &all, 0)) {
		CloseHandle(handles.in);
		CloseHandle(to);
		return false;
	}
	SetHandleInformation(to, HANDLE_FLAG_INHERIT, 0);
	SetHandleInformation(from, HANDLE_FLAG_INHERIT, 0);
	bool started = pump_start(c, to, from) && connection_create(c, line, &handles);
	CloseHandle(handles.in);
	CloseHandle(handles.out);
	if (handles.err != INVALID_HANDLE_VALUE)
		CloseHandle(handles.err);
	if (!started)
		connection_close(c);
	free(line);
	return started;
}

bool connection_start(struct connection *c, const char *const *argv, FILE *err)
{
	struct text line = { 0 };
	while (*argv)
		system_quote(&line, *argv++);
	return connection_spawn(c, text_take(&line), err);
}

bool connection_start_shell(struct connection *c, const char *command, FILE *err)
{
	return connection_spawn(c, xasprintf("cmd.exe /d /s /c \"%s\"", command), err);
}

void connection_kill(const struct connection *c)
{
	if (c->pid)
		TerminateJobObject((HANDLE)c->group, CONNECTION_KILLED);
}

void connection_terminate(const struct connection *c)
{
	connection_kill(c);
}

bool connection_has(const struct connection *c, long pid)
{
	BOOL is_own = FALSE;
	HANDLE process = OpenProcess(PROCESS_QUERY_INFORMATION, FALSE, (DWORD)pid);
	if (!process)
		return false;
	IsProcessInJob(process, (HANDLE)c->group, &is_own);
	CloseHandle(process);
	return is_own;
}

void connection_interrupt(const struct connection *c, long pid)
{
	GenerateConsoleCtrlEvent(CTRL_BREAK_EVENT, (DWORD)c->pid);
}

char *connection_redirect(const char *command, const char *in, const char *out)
{
	return xasprintf("%s <\"%s\" >\"%s\"", command, in, out);
}

int connection_wait(struct connection *c, double seconds)
{
	DWORD status;
	if (!c->pid || WaitForSingleObject((HANDLE)c->handle, (DWORD)(seconds * 1000)) != 0 ||
	    !GetExitCodeProcess((HANDLE)c->handle, &status))
		return -1;
	connection_kill(c);
	CloseHandle((HANDLE)c->group);
	CloseHandle((HANDLE)c->handle);
	c->pid = 0;
	return status >= 0xc0000000 ? 128 + FAULT : (int)status;
}

const char *connection_signal_name(int status)
{
	return status == CONNECTION_KILLED ? "Killed"
	       : status == 128 + FAULT     ? "Segmentation fault"
					   : NULL;
}

/* --- a socket --- */

static void set_nonblocking(SOCKET s)
{
	u_long on = 1;
	ioctlsocket(s, (long)FIONBIO, &on);
}

bool connection_open(struct connection *c, int port)
{
	struct sockaddr_in address = {
		.sin_family = AF_INET,
		.sin_port = htons((uint16_t)port),
		.sin_addr.s_addr = htonl(INADDR_LOOPBACK),
	};
	connection_init(c, -1, -1);
	SOCKET s = WSASocketW(AF_INET, SOCK_STREAM, 0, NULL, 0,
			      WSA_FLAG_OVERLAPPED | WSA_FLAG_NO_HANDLE_INHERIT);
	errno = ECONNREFUSED;
	if (s == INVALID_SOCKET)
		return false;
	if (connect(s, (struct sockaddr *)&address, sizeof address) != 0) {
		closesocket(s);
		return false;
	}
	set_nonblocking(s);
	connection_init(c, (intptr_t)s, (intptr_t)s);
	return true;
}

void connection_reset(struct connection *c)
{
	struct linger at_once = { .l_onoff = 1 };
	if (c->from >= 0)
		setsockopt((SOCKET)c->from, SOL_SOCKET, SO_LINGER, (const char *)&at_once,
			   sizeof at_once);
	connection_close(c);
}

/* --- bytes --- */

int connection_read(const struct connection *c, char *bytes, int room)
{
	int n = recv((SOCKET)c->from, bytes, room, 0);
	return n >= 0 ? n : WSAGetLastError() == WSAEWOULDBLOCK ? -1 : 0;
}

int connection_write(const struct connection *c, const char *bytes, size_t n)
{
	int written = send((SOCKET)c->to, bytes, n < PUMPED_MAX ? (int)n : PUMPED_MAX, 0);
	if (written >= 0)
		return written;
	if (WSAGetLastError() == WSAEWOULDBLOCK)
		return 0;
	errno = EPIPE;
	return -1;
}

enum received connection_wait_for(const struct connection *c, bool writes, bool *is_readable,
				  int64_t deadline)
{
	WSAPOLLFD fds[2];
	ULONG count = 0;
	int own = -1, cancel = -1;
	if (writes || *is_readable) {
		own = (int)count;
		fds[count++] = (WSAPOLLFD) {
			.fd = (SOCKET)(writes ? c->to : c->from),
			.events = (short)((writes ? POLLWRNORM : 0) |
					  (*is_readable ? POLLRDNORM : 0)),
		};
	}
	if (c->cancel >= 0) {
		cancel = (int)count;
		fds[count++] = (WSAPOLLFD) { .fd = (SOCKET)c->cancel, .events = POLLRDNORM };
	}
	*is_readable = false;
	for (;;) {
		int64_t left = (deadline - clock_now()) / 1000000;
		if (deadline <= clock_now())
			return RECEIVED_NOTHING;
		int n = WSAPoll(fds, count, left < INT_MAX ? (int)left + 1 : INT_MAX);
		if (n < 0)
			return RECEIVED_NOTHING;
		if (n == 0)
			continue;
		if (cancel >= 0 && fds[cancel].revents)
			return RECEIVED_CANCELLED;
		*is_readable = own >= 0 && fds[own].revents & ~POLLWRNORM;
		return RECEIVED_TEXT;
	}
}

void connection_end_input(struct connection *c)
{
	if (c->to >= 0)
		shutdown((SOCKET)c->to, SD_SEND);
	c->to = -1;
}

void connection_drop(intptr_t descriptor)
{
	closesocket((SOCKET)descriptor);
}
