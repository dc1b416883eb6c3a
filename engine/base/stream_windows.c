/* SPDX-License-Identifier: MIT
 *
 * libevent waits for sockets alone. So two threads pump standard input and output through pairs of sockets. The reader waits
 * in the system for ever if no input comes; the end of the process ends it.
 */
#include "engine/base/stream.h"

#include <winsock2.h>
#include <ws2tcpip.h>

#include <windows.h>
#include <winternl.h>

#include <errno.h>
#include <fcntl.h>
#include <io.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "engine/base/thread.h"

#define WAIT_MAX  32    /* most descriptors of stream_wait(): bits of its result */
#define PIECE_MAX 65536 /* bytes of a read or write */

static UINT console_pages[2]; /* of input and output before this program; 0: there is no console */

static void stream_restore(void)
{
	SetConsoleCP(console_pages[0]);
	SetConsoleOutputCP(console_pages[1]);
}

/* Text has the same bytes on every system. A console shows UTF-8, if the bytes of a character come together, and understands
 * escape sequences. */
__attribute__((constructor)) static void stream_prepare(void)
{
	WSADATA data;
	DWORD mode;
	WSAStartup(MAKEWORD(2, 2), &data);
	for (int fd = 0; fd < 3; fd++)
		_setmode(fd, _O_BINARY);
	console_pages[0] = GetConsoleCP();
	console_pages[1] = GetConsoleOutputCP();
	if (console_pages[0])
		atexit(stream_restore);
	SetConsoleCP(CP_UTF8);
	SetConsoleOutputCP(CP_UTF8);
	for (DWORD which = STD_ERROR_HANDLE; which <= STD_OUTPUT_HANDLE; which++)
		if (GetConsoleMode(GetStdHandle(which), &mode))
			SetConsoleMode(GetStdHandle(which),
				       mode | ENABLE_VIRTUAL_TERMINAL_PROCESSING);
	if (stream_is_terminal(stdout))
		setvbuf(stdout, NULL, _IOFBF, PIECE_MAX);
}

/* --- pairs of sockets --- */

/* Sets errno from the last error of a socket. */
static void take_error(void)
{
	int error = WSAGetLastError();
	errno = error == WSAEMFILE || error == WSAENOBUFS ? EMFILE : EIO;
}

static void set_nonblocking(SOCKET s)
{
	u_long on = 1;
	ioctlsocket(s, (long)FIONBIO, &on);
}

/* Connects two sockets by a listener that only this machine reaches. Any program may connect to it: the one that has is told by
 * its port. */
static bool connect_pair(SOCKET listener, SOCKET *ends)
{
	struct sockaddr_in at = { .sin_family = AF_INET,
				  .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	struct sockaddr_in own, other;
	int length = sizeof at, on = 1;
	ends[1] = WSASocketW(AF_INET, SOCK_STREAM, 0, NULL, 0,
			     WSA_FLAG_OVERLAPPED | WSA_FLAG_NO_HANDLE_INHERIT);
	if (ends[1] == INVALID_SOCKET || bind(listener, (struct sockaddr *)&at, length) != 0 ||
	    listen(listener, 1) != 0 ||
	    getsockname(listener, (struct sockaddr *)&at, &length) != 0 ||
	    connect(ends[1], (struct sockaddr *)&at, length) != 0 ||
	    getsockname(ends[1], (struct sockaddr *)&own, &length) != 0)
		return false;
	do {
		if (ends[0] != INVALID_SOCKET)
			closesocket(ends[0]);
		length = sizeof other;
		ends[0] = accept(listener, (struct sockaddr *)&other, &length);
		if (ends[0] == INVALID_SOCKET)
			return false;
	} while (other.sin_port != own.sin_port || other.sin_addr.s_addr != own.sin_addr.s_addr);
	for (int i = 0; i < 2; i++) {
		setsockopt(ends[i], IPPROTO_TCP, TCP_NODELAY, (const char *)&on, sizeof on);
		SetHandleInformation((HANDLE)ends[i], HANDLE_FLAG_INHERIT, 0);
	}
	return true;
}

static bool make_pair(SOCKET *ends)
{
	SOCKET listener = WSASocketW(AF_INET, SOCK_STREAM, 0, NULL, 0,
				     WSA_FLAG_OVERLAPPED | WSA_FLAG_NO_HANDLE_INHERIT);
	ends[0] = ends[1] = INVALID_SOCKET;
	bool made = listener != INVALID_SOCKET && connect_pair(listener, ends);
	if (!made)
		take_error();
	for (int i = 0; i < 2 && !made; i++)
		if (ends[i] != INVALID_SOCKET)
			closesocket(ends[i]);
	if (listener != INVALID_SOCKET)
		closesocket(listener);
	return made;
}

bool channel_open(struct channel *c)
{
	SOCKET ends[2];
	if (!make_pair(ends))
		return false;
	set_nonblocking(ends[0]);
	set_nonblocking(ends[1]);
	*c = (struct channel) { (intptr_t)ends[0], (intptr_t)ends[1] };
	return true;
}

void channel_close(struct channel *c)
{
	closesocket((SOCKET)c->in);
	closesocket((SOCKET)c->out);
}

void channel_ring(const struct channel *c)
{
	send((SOCKET)c->out, "", 1, 0); /* if there is no room, the other end is readable */
}

void channel_hush(const struct channel *c)
{
	char bytes[256];
	while (recv((SOCKET)c->in, bytes, sizeof bytes, 0) == sizeof bytes)
		;
}

unsigned stream_wait(const intptr_t *descriptors, int count, int milliseconds)
{
	WSAPOLLFD p[WAIT_MAX];
	unsigned ready = 0;
	for (int i = 0; i < count; i++)
		p[i] = (WSAPOLLFD) { .fd = (SOCKET)descriptors[i], .events = POLLRDNORM };
	if (WSAPoll(p, (ULONG)count, milliseconds) <= 0)
		return 0;
	for (int i = 0; i < count; i++)
		ready |= p[i].revents ? 1u << i : 0;
	return ready;
}

/* --- the pumps --- */

/* The first end of a pair is the loop's, the second one the thread's. */
static SOCKET input[2], output[2];
static bool pumps; /* since stream_open() */
static pthread_t writer;
static atomic_int lost; /* the error of a write: STREAM_LOST, STREAM_FAILED or 0 */

static void *read_input(void *arg)
{
	static char bytes[PIECE_MAX];
	DWORD n;
	while (ReadFile(GetStdHandle(STD_INPUT_HANDLE), bytes, sizeof bytes, &n, NULL) && n)
		for (int sent = 0, count; sent < (int)n; sent += count)
			if ((count = send(input[1], bytes + sent, (int)n - sent, 0)) <= 0)
				return NULL;
	shutdown(input[1], SD_SEND);
	return NULL;
}

/* Writes a piece to standard output. Returns the number of bytes, or what stream_write() returns on failure. */
static int write_piece(const char *bytes, int count)
{
	DWORD written;
	if (WriteFile(GetStdHandle(STD_OUTPUT_HANDLE), bytes, (DWORD)count, &written, NULL))
		return (int)written;
	DWORD error = GetLastError();
	return error == ERROR_BROKEN_PIPE || error == ERROR_NO_DATA ||
			       error == ERROR_PIPE_NOT_CONNECTED
		       ? STREAM_LOST
		       : STREAM_FAILED;
}

static void *write_output(void *arg)
{
	static char bytes[PIECE_MAX];
	int n;
	while ((n = recv(output[1], bytes, sizeof bytes, 0)) > 0) {
		for (int done = 0, written; done < n; done += written) {
			written = write_piece(bytes + done, n - done);
			if (written >= 0)
				continue;
			lost = written;
			closesocket(output[1]);
			return NULL;
		}
	}
	return NULL;
}

bool stream_open(void)
{
	pthread_t reader;
	if (!make_pair(input))
		return false;
	if (!make_pair(output)) {
		closesocket(input[0]);
		closesocket(input[1]);
		return false;
	}
	set_nonblocking(input[0]);
	set_nonblocking(output[0]);
	lost = 0;
	int error = thread_start(&writer, write_output, NULL);
	if (!error && !(error = thread_start(&reader, read_input, NULL))) {
		pthread_detach(reader);
		pumps = true;
		return true;
	}
	errno = error;
	return false;
}

/* The end of the process closes the sockets, which the threads may still use. */
void stream_close(bool waits)
{
	if (!waits)
		return;
	shutdown(output[0], SD_SEND);
	pthread_join(writer, NULL);
}

intptr_t stream_input(void)
{
	return (intptr_t)input[0];
}

intptr_t stream_output(void)
{
	return (intptr_t)output[0];
}

int stream_read(void *bytes, int room)
{
	int n = recv(input[0], bytes, room, 0);
	return n >= 0 ? n : WSAGetLastError() == WSAEWOULDBLOCK ? -1 : 0;
}

int stream_write(const void *bytes, size_t n)
{
	int count = n < PIECE_MAX ? (int)n : PIECE_MAX;
	if (!pumps)
		return write_piece(bytes, count);
	int written = send(output[0], bytes, count, 0);
	if (written >= 0)
		return written;
	if (WSAGetLastError() == WSAEWOULDBLOCK)
		return 0;
	errno = EIO;
	return lost == STREAM_FAILED ? STREAM_FAILED : STREAM_LOST;
}

/* A pipe tells its state. */
bool stream_is_lost(void)
{
	enum { PIPE_LOCAL_INFORMATION = 24, PIPE_CONNECTED = 3 };
	struct {
		ULONG type, configuration, instances_max, instances, in_quota, readable, out_quota,
			writable, state, end;
	} pipe;
	IO_STATUS_BLOCK status;
	if (lost)
		return true;
	return NtQueryInformationFile(GetStdHandle(STD_OUTPUT_HANDLE), &status, &pipe, sizeof pipe,
				      (FILE_INFORMATION_CLASS)PIPE_LOCAL_INFORMATION) == 0 &&
	       pipe.state != PIPE_CONNECTED;
}

/* --- standard error --- */

void stream_stderr(const char *bytes, size_t n)
{
	DWORD written;
	WriteFile(GetStdHandle(STD_ERROR_HANDLE), bytes, (DWORD)n, &written, NULL);
}

/* --- terminals --- */

bool stream_is_terminal(FILE *f)
{
	DWORD mode;
	return GetConsoleMode((HANDLE)_get_osfhandle(_fileno(f)), &mode);
}

int stream_columns(void)
{
	CONSOLE_SCREEN_BUFFER_INFO info;
	return GetConsoleScreenBufferInfo(GetStdHandle(STD_OUTPUT_HANDLE), &info)
		       ? info.srWindow.Right - info.srWindow.Left + 1
		       : 80;
}

int stream_rows(void)
{
	CONSOLE_SCREEN_BUFFER_INFO info;
	return GetConsoleScreenBufferInfo(GetStdHandle(STD_OUTPUT_HANDLE), &info)
		       ? info.srWindow.Bottom - info.srWindow.Top + 1
		       : 24;
}

/* --- what ends a program from outside --- */

static const struct channel *_Atomic watcher;
static atomic_uint stopped;

/* Called on a thread of its own. After it has returned from the end of a console, the system ends the program, so it leaves the
 * program the time that the system allows. */
static BOOL WINAPI on_stop(DWORD event)
{
	const struct channel *c = watcher;
	bool interrupts = event == CTRL_C_EVENT || event == CTRL_BREAK_EVENT;
	if (!c)
		return FALSE;
	atomic_fetch_or(&stopped, interrupts ? STOP_INTERRUPT : STOP_END);
	channel_ring(c);
	if (!interrupts)
		Sleep(INFINITE);
	return TRUE;
}

void stops_watch(const struct channel *c)
{
	bool begins = c && !watcher, ends = !c && watcher;
	watcher = c;
	if (begins || ends)
		SetConsoleCtrlHandler(on_stop, begins);
}

unsigned stops_take(void)
{
	return atomic_exchange(&stopped, 0);
}

void stream_ignore_broken_pipes(void)
{
}
