// SPDX-License-Identifier: MIT
//
// The state that all parts of the page share: settings, the game, and what is shown of it.
import { YomiText } from "./text.js";
import { Node, merge, pack, unpack } from "./tree.js";
import { keep_game, recall, recent_game, store } from "./store.js";

export const COLOURS = ["black", "white"];
export const SWAP = "SWAP-PIECES"; // the move by which White takes over Black's first stone
export const other = colour => colour === "black" ? "white" : "black";

// --- settings ---

const is_text = v => typeof v === "string";
const is_flag = v => typeof v === "boolean";
const is_whole = (v, least, most) => Number.isSafeInteger(v) && v >= least && v <= most;
const one_of = (...choices) => v => choices.includes(v);
const is_unset = v => v === null;
const is_player = v => v instanceof Object && is_flag(v.yomi) && is_whole(v.level, 0, 10) &&
	(is_unset(v.search) || is_text(v.search)) && (is_unset(v.threads) || is_whole(v.threads, 1, 1024)) &&
	(is_unset(v.limit) || v.limit > 0 && Number.isFinite(v.limit)) && one_of("time", "playouts")(v.unit);

export const settings = recall("localStorage", {
	language: navigator.language.startsWith("ja") ? "ja" : "en", theme: "auto", letters: true, sound: false, clock: null, seed: 0, hints: false,
	analysis: false, // two modes: true analyses, false plays and shows no numbers
	analysis_search: null, shown: "chance", line: true, tree: false,
	players: {
		black: { yomi: false, level: 5, search: null, threads: null, limit: null, unit: "time" }, // null: the
		white: { yomi: true, level: 5, search: null, threads: null, limit: null, unit: "time" },  // program's default
	},
}, {
	language: one_of(...Object.keys(YomiText)), theme: one_of("auto", "light", "dark"), letters: is_flag, sound: is_flag,
	clock: v => is_unset(v) || Array.isArray(v) && v.length === 2 && is_whole(v[0], 1, 999) && is_whole(v[1], 0, 999), // minutes, seconds a move
	
	seed: v => is_whole(v, 0, Number.MAX_SAFE_INTEGER), hints: is_flag, analysis: is_flag, analysis_search: is_text,
	shown: one_of("chance", "score", "visits", "none"), line: is_flag, tree: is_flag,
	players: v => COLOURS.every(colour => is_player(v?.[colour])),
});

// --- the game ---

export function new_tree() {
	const root = new Node();
	return { root, at: root };
}

export const fresh_game = () => ({
	id: Date.now().toString(36) + Math.random().toString(36).slice(2, 8),
	start: null, // position text, or null: the game's start position
	info: {},    // properties of SGF about the game: players, event, date, ... without escapes
	head: "",    // properties of SGF that name the game, as yomi writes them
	left: null,  // seconds on the clocks: { black, white }; null: the clock has not begun
	puzzle: null, // see puzzle.js; null: this is no puzzle
	...new_tree(), // root: the tree; at: the current node
});

export const game = {
	game: null,  // name; null: the program's default game
	rules: null,
	size: null,  // [rows, columns]; null: the game's first size
	komi: null,  // points, as the user has chosen; null: the board's own, or the game has none
	...fresh_game(),
};

// --- stored games ---

const is_size = v => Array.isArray(v) && [2, 3].includes(v.length) && v.every(n => is_whole(n, 1, 99));
const is_puzzle = v => v instanceof Object && is_whole(v.number, 1, 999) && COLOURS.includes(v.side) && one_of("win", "draw")(v.value) &&
	(is_unset(v.moves) || is_whole(v.moves, 1, 999)) && Array.isArray(v.solution) && v.solution.every(is_text);
const GAME_CHECKS = { id: is_text, game: is_text, rules: is_text, start: v => is_unset(v) || is_text(v), size: v => is_unset(v) || is_size(v),
	komi: v => is_unset(v) || Number.isFinite(v), head: is_text, left: v => is_unset(v ?? null) || COLOURS.every(colour => Number.isFinite(v?.[colour])), info: v => v instanceof Object && Object.values(v).every(is_text),
	puzzle: v => is_unset(v ?? null) || is_puzzle(v) };

const TAB = Math.random(); // tells this page from another one that has the same game

function pack_game() {
	const { id, game: name, rules, size, komi, start, info, head, left, puzzle, root, at } = game;
	return { id, tab: TAB, time: Date.now(), game: name, rules, size, komi, start, info, head, left, puzzle,
		nodes: pack(root), at: root.all().indexOf(at) };
}

// Returns null if the stored game is damaged.
export function unpack_game(kept) {
	if (!(kept instanceof Object) || !Object.entries(GAME_CHECKS).every(([name, check]) => check(kept[name])))
		return null;
	const nodes = unpack(kept.nodes), at = nodes?.[kept.at];
	const { id, game: name, rules, size, komi, start, info, head, left = null, puzzle = null } = kept;
	return at ? { id, game: name, rules, size, komi, start, info, head, left, puzzle, root: nodes[0], at } : null;
}

// --- what is shown ---

export const view = {
	board: null,    // the YomiBoard
	board_key: "",  // game and layout that it was made for
	pinned: null,   // the line that is shown instead of the best one
	search: null,   // the running search: { kind, colour, node, dropped, hurried, course, done }; kind: "move", "analysis" or "explanation"
	explains: false, // true if the engine has yomi-explain
	has_tree: false, // true if the engine has yomi-tree
	explores: false, // true if the engine has yomi-explore
	hinted: null,   // the node that the last hint was about
	puzzles: 0,     // number of puzzles for the board
	puzzle_boards: /** @type {{ rows: number, cols: number, count: number }[]} */ ([]), // the boards of the game that have puzzles
	asks: false,    // true: the next move is not played, the user asks what follows it
	aside: null,    // positions beside the game: { kind, nodes, step }. nodes[0] is the current node, the others are not in the
	                // tree; the board shows nodes[step]. Kind "line", what follows a move: lesson, and plays if it goes on by
	                // itself. Kind "tree", a path in the tree of the last search: told, the answer of yomi-tree for each node
	review: false,  // true while all moves are evaluated
	games: [],      // all games: the answer of yomi-games
	searches: [],   // names of all searches
	usual: {},      // option -> the program's initial value
	left: [],       // ids of the games that were left in this tab, the newest at the end
};

// A puzzle is not: it can be opened again.
export const is_worth_keeping = () => !game.puzzle && (game.root.children.length > 0 || game.start !== null);
export const shown_node = () => view.aside?.nodes[view.aside.step] ?? game.at;
export const lost_by = () => game.at.lost;
export const has_ended = () => Boolean(game.at.position?.over || lost_by());

{
	const kept = recall("sessionStorage", { game: null, left: [] }, { game: v => v instanceof Object, left: v => Array.isArray(v) && v.every(is_text) });
	Object.assign(game, unpack_game(kept.game));
	view.left = kept.left;
}

export function keep() {
	const kept = recent_game(game.id), theirs = kept && kept.tab !== TAB ? unpack_game(kept) : null;
	if (theirs)
		merge(game.root, theirs.root); // another tab has gone on with this game
	const packed = pack_game();
	store("localStorage", settings);
	store("sessionStorage", { game: packed, left: view.left });
	if (is_worth_keeping())
		keep_game(packed);
}

// --- words ---

export let t = YomiText[settings.language];

export function set_language(language) {
	settings.language = language;
	t = YomiText[language];
}

export const colour_name = colour => view.board?.layout.pen ? { black: "X", white: "O" }[colour] : t[colour];
export const move_name = move => ({ PASS: t.pass, [SWAP]: t.swap }[move] ?? move);
export const title_of = name => t.games[name] ?? view.games.find(g => g.game === name)?.title ?? name;
export const sizes_of = name => view.games.find(g => g.game === name)?.sizes ?? [[0, 0]];
// Lines between dots have two rows and columns for each box, and one more.
export const size_name = ([rows, cols, base]) => base && rows === 2 * base - 1 ? t.base(base) : base ? `${base}×${base}` : `${cols}×${rows}`;
// The komi of a board unless the user chooses another; null: the game has none.
export const own_komi = it => {
	const board = size => size.slice(0, 2).join(), at = sizes_of(it.game).findIndex(size => board(size) === board(size_of(it)));
	return view.games.find(g => g.game === it.game)?.komis[at] ?? null;
};
export const size_of = it => it.size ?? sizes_of(it.game)[0];
export const error_text = message => {
	const [pattern, text] = t.errors.find(([it]) => it.test(message)) ?? [];
	return pattern ? message.match(pattern)[0].replace(pattern, text) : t.other_error(message);
};
