/* SPDX-License-Identifier: MIT */
#include "tools/ranks/parcel.h"

#include <string.h>

#include "engine/base/memory.h"

void parcel_put(struct parcel *p, const void *bytes, size_t size)
{
	if (p->size + size > p->room) {
		p->room = 2 * (p->size + size);
		p->bytes = xrealloc(p->bytes, p->room);
	}
	if (size)
		memcpy(p->bytes + p->size, bytes, size);
	p->size += size;
}

void parcel_put_int(struct parcel *p, int64_t n)
{
	parcel_put(p, &n, sizeof n);
}

void parcel_put_real(struct parcel *p, double x)
{
	parcel_put(p, &x, sizeof x);
}

void parcel_put_text(struct parcel *p, const char *text)
{
	parcel_put_int(p, text ? (int64_t)strlen(text) : -1);
	if (text)
		parcel_put(p, text, strlen(text) + 1);
}

struct packet parcel_close(struct parcel *p)
{
	struct packet packet = { p->bytes, p->size };
	*p = (struct parcel) { 0 };
	return packet;
}

struct parcel parcel_open(struct packet packet)
{
	return (struct parcel) { .bytes = packet.bytes, .size = packet.size, .good = true };
}

/* Returns the next bytes, NULL if there are fewer. */
static const char *next(struct parcel *p, size_t size)
{
	p->good = p->good && size <= p->size - p->at;
	if (!p->good)
		return NULL;
	p->at += size;
	return p->bytes + p->at - size;
}

void parcel_take(struct parcel *p, void *bytes, size_t size)
{
	const char *from = next(p, size);
	if (from && size)
		memcpy(bytes, from, size);
	else
		memset(bytes, 0, size);
}

int64_t parcel_take_int(struct parcel *p)
{
	int64_t n;
	parcel_take(p, &n, sizeof n);
	return n;
}

double parcel_take_real(struct parcel *p)
{
	double x;
	parcel_take(p, &x, sizeof x);
	return x;
}

int parcel_take_within(struct parcel *p, int min, int max)
{
	int64_t n = parcel_take_int(p);
	p->good = p->good && n >= min && n <= max;
	return p->good ? (int)n : min;
}

const char *parcel_take_text(struct parcel *p)
{
	int64_t length = parcel_take_int(p);
	if (length == -1)
		return NULL;
	p->good = p->good && length >= 0 && length < INT32_MAX;
	const char *text = p->good ? next(p, (size_t)length + 1) : NULL;
	p->good = p->good && text[length] == '\0';
	return p->good ? text : "";
}
