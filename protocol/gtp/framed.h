/* SPDX-License-Identifier: MIT */
#ifndef PROTOCOL_GTP_FRAMED_H
#define PROTOCOL_GTP_FRAMED_H

#include "protocol/session/command.h"

/* Runs s->command in GoGui's frame for Pentago, in which some commands do something else. */
enum outcome framed_run(struct session *);

#endif
