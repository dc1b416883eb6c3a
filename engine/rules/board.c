/* SPDX-License-Identifier: MIT */
#include "engine/rules/board.h"

const struct piece *board_pieces(const struct board *b)
{
	static const struct piece stones[] = { { 'X', BLACK, "stone" },
					       { 'O', WHITE, "stone" },
					       { '\0', 0, NULL } };
	return b->pieces ? b->pieces : stones;
}

int board_owner(const struct board *b, char content)
{
	for (const struct piece *p = board_pieces(b); p->letter; p++)
		if (p->letter == content)
			return p->side == PIECE_NEUTRAL ? 0 : side_sign(p->side);
	return 0;
}

char board_stone(const struct board *b, int side)
{
	const struct piece *p = board_pieces(b);
	while (p->letter && p->side != side)
		p++;
	return p->letter;
}
