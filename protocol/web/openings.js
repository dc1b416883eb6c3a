// SPDX-License-Identifier: MIT
//
// What books know about the position: the name of the opening, and in analysis the moves with their score in the game's book
// and the games of the user's own book. The answer of yomi-explore is node.books.
import { $, element, set_text } from "./dom.js";
import { colour_name, game, move_name, settings, t } from "./state.js";
import { score_text } from "./scores.js";
import { play } from "./play.js";

const OPENING = 20; // moves of an opening: later the name is not shown

const points_or_value = number => number === null ? null :
	game.at.position.unit ? { value: null, score: number, proven: false, exact: false } : { value: number, score: null, proven: false, exact: false };

// "12: 7 / 1 / 4": all games, and those that Black won, drawn ones, those that White won.
const results = ({ games, black, draws, white }) => games ? `${games}: ${black} / ${draws} / ${white}` : "";

export function show_openings() {
	const { books, ply, position } = game.at, name = books && ply <= OPENING ? books.opening : null;
	$("opening").hidden = !name?.name;
	set_text($("opening"), name?.name ? t.opening((settings.language === "ja" && name.japanese) || name.name) : "");
	const moves = (settings.analysis && books?.moves) || [];
	$("books-card").hidden = !moves.length && !(settings.analysis && books?.error);
	set_text($("books-error"), books?.error ?? "");
	set_text($("books-results"), t.book_results(colour_name("black"), colour_name("white")));
	$("books").tBodies[0].replaceChildren(...moves.map(move => element("tr", {},
		element("td", {}, element("button", { onclick: () => play(move.move) }, move_name(move.move))),
		element("td", {}, score_text(points_or_value(move.book), position.to_move)),
		element("td", {}, results(move)),
		element("td", {}, position.unit ? score_text(points_or_value(move.score), position.to_move) : ""))));
}
