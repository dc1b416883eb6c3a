/* SPDX-License-Identifier: MIT
 *
 * The descriptors 0 and 1 may be inherited and shared, so O_NONBLOCK must not be set on them. One read per readiness does
 * not block. A write of at most PIPE_BUF bytes does not block either.
 */
#include "engine/base/stream.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/ioctl.h>
#include <unistd.h>

#define WAIT_MAX 32 /* most descriptors of stream_wait(): bits of its result */

bool channel_open(struct channel *c)
{
	int ends[2];
	if (pipe(ends) < 0)
		return false;
	for (int i = 0; i < 2; i++) {
		fcntl(ends[i], F_SETFD, FD_CLOEXEC);
		fcntl(ends[i], F_SETFL, O_NONBLOCK);
	}
	*c = (struct channel) { ends[0], ends[1] };
	return true;
}

void channel_close(struct channel *c)
{
	close((int)c->in);
	close((int)c->out);
}

void channel_ring(const struct channel *c)
{
	int error = errno; /* of what a signal has interrupted */
	/* If the pipe is full, it is readable. */
	while (write((int)c->out, "", 1) < 0 && errno == EINTR)
		;
	errno = error;
}

void channel_hush(const struct channel *c)
{
	char bytes[256];
	while (read((int)c->in, bytes, sizeof bytes) == sizeof bytes)
		;
}

unsigned stream_wait(const intptr_t *descriptors, int count, int milliseconds)
{
	struct pollfd p[WAIT_MAX];
	unsigned ready = 0;
	for (int i = 0; i < count; i++)
		p[i] = (struct pollfd) { .fd = (int)descriptors[i], .events = POLLIN };
	if (poll(p, (nfds_t)count, milliseconds) <= 0)
		return 0;
	for (int i = 0; i < count; i++)
		ready |= p[i].revents ? 1u << i : 0;
	return ready;
}

bool stream_open(void)
{
	return true;
}

void stream_close(bool waits)
{
}

intptr_t stream_input(void)
{
	return STDIN_FILENO;
}

intptr_t stream_output(void)
{
	return STDOUT_FILENO;
}

static bool is_passing(int error)
{
	return error == EAGAIN || error == EINTR;
}

int stream_read(void *bytes, int room)
{
	ssize_t n = read(STDIN_FILENO, bytes, (size_t)room);
	return n >= 0 ? (int)n : is_passing(errno) ? -1 : 0;
}

int stream_write(const void *bytes, size_t n)
{
	ssize_t written = write(STDOUT_FILENO, bytes, n < PIPE_BUF ? n : PIPE_BUF);
	if (written >= 0)
		return (int)written;
	if (is_passing(errno))
		return 0;
	return errno == EPIPE || errno == ECONNRESET ? STREAM_LOST : STREAM_FAILED;
}

bool stream_is_lost(void)
{
	struct pollfd p = { .fd = STDOUT_FILENO };
	return poll(&p, 1, 0) == 1;
}

void stream_stderr(const char *bytes, size_t n)
{
	struct pollfd p = { .fd = STDERR_FILENO, .events = POLLOUT };
	/* If there is room for a byte, there is room for PIPE_BUF. */
	if (n > PIPE_BUF || poll(&p, 1, 0) != 1 || !(p.revents & POLLOUT))
		return;
	/* Drop what cannot be written at once. */
	if (write(STDERR_FILENO, bytes, n) < 0)
		return;
}

bool stream_is_terminal(FILE *f)
{
	return isatty(fileno(f));
}

int stream_columns(void)
{
	struct winsize size;
	return ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col ? size.ws_col : 80;
}

int stream_rows(void)
{
	struct winsize size;
	return ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_row ? size.ws_row : 24;
}

/* --- what ends a program from outside --- */

static const struct {
	int signal;
	enum stop stop;
} stops[] = { { SIGINT, STOP_INTERRUPT }, { SIGTERM, STOP_END } };

#define STOP_COUNT (int)(sizeof stops / sizeof stops[0])

static const struct channel *watcher;
static struct sigaction before[STOP_COUNT];
static atomic_uint stopped;

static void on_stop(int signal)
{
	for (int i = 0; i < STOP_COUNT; i++)
		if (stops[i].signal == signal)
			atomic_fetch_or(&stopped, stops[i].stop);
	channel_ring(watcher);
}

void stops_watch(const struct channel *c)
{
	struct sigaction action = { .sa_handler = on_stop, .sa_flags = SA_RESTART };
	bool begins = c && !watcher, ends = !c && watcher;
	sigfillset(&action.sa_mask);
	for (int i = 0; i < STOP_COUNT && ends; i++)
		sigaction(stops[i].signal, &before[i], NULL);
	watcher = c;
	for (int i = 0; i < STOP_COUNT && begins; i++)
		sigaction(stops[i].signal, &action, &before[i]);
}

unsigned stops_take(void)
{
	return atomic_exchange(&stopped, 0);
}

void stream_ignore_broken_pipes(void)
{
	signal(SIGPIPE, SIG_IGN);
}
