// SPDX-License-Identifier: MIT
//
// What the browser keeps. Storage may be forbidden or full, or hold damaged text or values of another version. Then the page
// works as on a first visit.
//
//	localStorage   "yomi": the settings; "yomi-game:ID": a recent game; "yomi-solved": names of solved puzzles
//	sessionStorage "yomi": the game of this tab, and the ids of the games that it left
const GAMES_MAX = 40;       // recent games
const GAMES_SIZE = 2000000; // characters of all recent games
const PREFIX = "yomi-game:";

const place_of = name => name === "localStorage" ? localStorage : sessionStorage;

function read(place, key) {
	try {
		return JSON.parse(place_of(place).getItem(key));
	} catch {
		return null;
	}
}

function write(place, key, value) {
	try {
		place_of(place).setItem(key, value);
		return true;
	} catch {
		return false;
	}
}

// Returns `known` with the stored members that their check accepts.
export function recall(place, known, checks) {
	const kept = read(place, "yomi");
	for (const [name, check] of Object.entries(checks))
		if (kept instanceof Object && check(kept[name]))
			known[name] = kept[name];
	return known;
}

export const store = (place, value) => write(place, "yomi", JSON.stringify(value));

// --- recent games ---

const memory = new Map(); // id -> text, where storage is forbidden or full

function keys() {
	try {
		return Object.keys(localStorage).filter(key => key.startsWith(PREFIX));
	} catch {
		return [];
	}
}

function remove(id) {
	memory.delete(id);
	try {
		localStorage.removeItem(PREFIX + id);
	} catch {
		// It was only in memory.
	}
}

function text_of(id) {
	try {
		return localStorage.getItem(PREFIX + id) ?? memory.get(id);
	} catch {
		return memory.get(id);
	}
}

// The recent games, the newest first: values with `id` and `time`. Damaged ones are removed.
export function recent_games() {
	const games = [];
	for (const id of new Set([...keys().map(key => key.slice(PREFIX.length)), ...memory.keys()])) {
		const game = recent_game(id);
		if (game)
			games.push(game);
		else
			remove(id);
	}
	return games.sort((a, b) => b.time - a.time);
}

// Returns null if there is no such game.
export function recent_game(id) {
	try {
		const game = JSON.parse(text_of(id));
		return game?.id === id && Number.isFinite(game.time) ? game : null;
	} catch {
		return null;
	}
}

// Keeps a game, and drops the oldest ones that there is no room for.
export function keep_game(game) {
	const text = JSON.stringify(game), is_new = text_of(game.id) === undefined;
	const old = is_new ? recent_games().reverse() : [];
	let size = old.reduce((sum, { id }) => sum + text_of(id).length, text.length);
	for (let count = old.length + 1; old.length && (count > GAMES_MAX || size > GAMES_SIZE); count--) {
		const { id } = old.shift();
		size -= text_of(id).length;
		remove(id);
	}
	while (!write("localStorage", PREFIX + game.id, text)) {
		const oldest = recent_games().findLast(({ id }) => id !== game.id && !memory.has(id));
		if (!oldest)
			return void memory.set(game.id, text);
		remove(oldest.id);
	}
	memory.delete(game.id);
}

export const forget_game = remove;

// --- solved puzzles ---

const SOLVED = "yomi-solved";
const solved_here = new Set(); // where storage is forbidden or full

// The names of all puzzles that were solved in this browser.
export function solved_puzzles() {
	const kept = read("localStorage", SOLVED);
	return new Set([...Array.isArray(kept) ? kept : [], ...solved_here]);
}

export function keep_solved(name) {
	const solved = solved_puzzles();
	if (solved.has(name))
		return;
	solved_here.add(name);
	write("localStorage", SOLVED, JSON.stringify([...solved, name]));
}
