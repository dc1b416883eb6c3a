// SPDX-License-Identifier: MIT
//
// The engine's state. tell() sends it the difference between the page's game and its own, so that a move, going back, a new
// game and a lost connection are one case.
import { Link } from "./link.js";
import { fresh_game, game, own_komi, settings, size_of, sizes_of, view } from "./state.js";

export const link = new Link();

let told = null;  // the state sent so far: { game, rules, size, komi, start, moves }; null: none
let options = {}; // option -> the value last sent

export const send = (command, report) => link.send(command, report);
export const ask = async command => JSON.parse(await send(command));

// After these the whole state is sent again.
export function forget_told() {
	told = null;
}
export function forget_options() {
	options = {};
}

// The engine has made a move by itself.
export function told_move(made) {
	told.moves = [...told.moves, made];
}

const moves_to = node => node.path().slice(1).map(({ color, move }) => ({ color, move }));

export async function tell(node = game.at) {
	const commands = [], want = moves_to(node);
	let have = told?.moves ?? [];
	const [rows, cols] = size_of(game), size = `${cols} ${rows}`;
	const komi = game.puzzle?.komi ?? game.komi ?? own_komi(game);
	if (!told || told.game !== game.game || told.rules !== game.rules || told.size !== size || told.start !== game.start ||
		(want.length === 0 && have.length > 0)) {
		commands.push(`set_game ${game.game}`, `param rules ${game.rules}`);
		if (sizes_of(game.game).length > 1)
			commands.push(`boardsize ${size}`);
		commands.push("clear_board");
		if (game.start)
			commands.push(`position ${game.start}`);
		have = [];
		told = { komi: null };
	}
	if (komi !== null && told.komi !== komi)
		commands.push(`komi ${komi}`);
	let same = 0;
	while (same < Math.min(have.length, want.length) && have[same].move === want[same].move)
		same++;
	for (let i = same; i < have.length; i++)
		commands.push("undo");
	for (const { color, move } of want.slice(same))
		commands.push(`play ${color} ${move}`);
	told = { game: game.game, rules: game.rules, size, komi, start: game.start, moves: want };
	await Promise.all(commands.map(command => send(command)));
}

// Takes over the game that the engine has, after it refused a command. A move that it refused leaves the tree.
export async function adopt() {
	const { moves, game: name, rules, rows, cols, komi } = await ask("yomi-position");
	const start = game.start && (await ask("yomi-position 0")).position, path = game.at.path();
	if (name !== game.game || rules !== game.rules || start !== game.start)
		Object.assign(game, fresh_game(), { game: name, rules, start });
	Object.assign(game, { size: [rows, cols], komi: game.komi === null ? null : komi });
	told = { game: name, rules, size: `${cols} ${rows}`, komi: game.komi, start, moves };
	let node = game.root;
	for (const { color, move } of moves)
		node = node.add(color, move);
	game.at = node;
	const refused = path[path.indexOf(node) + 1];
	if (refused?.parent === node)
		node.drop(refused);
}

export async function set_options(wanted) {
	const commands = [];
	for (const [name, value] of Object.entries(wanted))
		if (options[name] !== String(value)) {
			options[name] = String(value);
			commands.push(`param ${name} ${value}`);
		}
	await Promise.all(commands.map(command => send(command)));
}

export const known_search = name => view.searches.includes(name) ? name : view.usual.search;

// `most`: seconds that a move may take at most.
export function options_of({ search, threads, level, limit, unit }, most) {
	const { usual } = view, time = unit === "time" ? limit ?? Number(usual.time) : 1e6;
	return { search: known_search(search), threads: threads ?? usual.threads, level, seed: settings.seed,
		time: Math.min(time, most), playouts: unit === "playouts" ? Math.ceil(limit) : 0 };
}

// Asks the engine for its games, searches and initial options.
export async function learn() {
	view.games = await ask("yomi-games");
	[view.explains, view.has_tree, view.explores] = await Promise.all(["yomi-explain", "yomi-tree", "yomi-explore"].map(async name =>
		await send(`known_command ${name}`) === "true"));
	for (const line of (await send("param")).split("\n")) {
		const [, type, name, value] = /^\[(.*)\] (\S+) (.*)$/.exec(line) ?? [];
		view.usual[name] = value;
		if (name === "search")
			view.searches = type.split("/").slice(1);
	}
	if (!game.game) {
		const position = await ask("yomi-position");
		Object.assign(game, { game: position.game, rules: position.rules });
	}
}
