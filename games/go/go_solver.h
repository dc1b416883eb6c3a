/* SPDX-License-Identifier: MIT
 *
 * The exact solver of small boards of Go. Only go.c and the solver include this header.
 */
#ifndef GAMES_GO_GO_SOLVER_H
#define GAMES_GO_GO_SOLVER_H

#include "engine/rules/game.h"
#include "engine/rules/solver.h"

extern const struct solver go_solver;

#endif
