// SPDX-License-Identifier: MIT
//
// Games as SGF and as links.
//
// Only yomi knows how a game writes its moves. It writes the SGF of each line that it is told; the page keeps the properties
// with the nodes. So it can write the whole tree at any time, also without a connection. Reading goes the other way: each
// line of the file goes to yomi, which answers its moves.
import { BODY_MAX } from "./carrier.js";
import { Refused } from "./link.js";
import { ask, send } from "./engine.js";
import { game, new_tree, settings, size_of, t } from "./state.js";
import { count_lines, escape_sgf, parse_sgf, print_props, sgf_lines, unescape_sgf } from "./sgf.js";

const LINES_MAX = 200; // lines of a file that are read
// Properties of the root about the game, which are kept and written again.
const INFO = ["PB", "PW", "BR", "WR", "BT", "WT", "EV", "RO", "DT", "PC", "GC", "SO", "US", "AN", "CP", "ON", "TM", "OT"];
const TEXTS = ["C", "N", "GC", "LB"]; // properties that the engine need not read

const play_of = ({ props }) => Object.keys(props).find(name => name === "B" || name === "W");
const move_text = (props, name) => print_props({ [name]: props[name].slice(0, 1) });

// --- writing ---

// Notes how yomi writes the line up to the current node.
export function learn_sgf(node, text) {
	const root = parse_sgf(text);
	if (!root)
		return;
	const { RE: [result] = [""], ...props } = root.props, [nodes] = sgf_lines(root, 1);
	game.head = print_props(Object.fromEntries(Object.entries(props).filter(([name]) => !INFO.includes(name))));
	const plays = nodes.filter(play_of), path = node.path().slice(1);
	if (plays.length === path.length)
		path.forEach((it, i) => { it.sgf = move_text(plays[i].props, play_of(plays[i])); });
	if (node.position?.over)
		node.result = result;
}

const player_text = colour => {
	const { yomi, level } = settings.players[colour];
	return yomi ? `yomi${level ? `, level ${level}` : ""}` : t.person;
};

const text_property = (name, value) => value ? `${name}[${escape_sgf(value)}]` : "";
const comment_of = node => (node.score && !node.score.proven && node.score.value !== null ? `V[${node.score.value.toFixed(3)}]` : "") +
	text_property("C", node.comment);

// The properties of the root about the game.
function info_text() {
	const is_read = "PB" in game.info || "PW" in game.info;
	const info = { ...is_read ? {} : { PB: player_text("black"), PW: player_text("white") }, ...game.info };
	return INFO.map(name => text_property(name, info[name])).join("") + text_property("RE", game.root.main_end().result);
}

// The whole tree as SGF.
export function write_record() {
	let text = `(;${game.head}${info_text()}${comment_of(game.root)}`;
	/** @type {any[]} */
	const open = [...game.root.children].reverse().map(node => ({ node, is_branch: game.root.children.length > 1 }));
	while (open.length) {
		const { node, is_branch, ends } = open.pop();
		if (ends) {
			text += ")";
			continue;
		}
		if (is_branch) {
			text += "\n(";
			open.push({ ends: true });
		}
		text += `;${node.sgf || `${node.color === "black" ? "B" : "W"}[${node.move.toLowerCase()}]`}${comment_of(node)}`;
		for (const child of [...node.children].reverse())
			open.push({ node: child, is_branch: node.children.length > 1 });
	}
	return text + ")\n";
}

// --- reading ---

// A line as text, without what only people read.
const line_text = nodes => `(${nodes.map(({ props }) => ";" + print_props(Object.fromEntries(
	Object.entries(props).filter(([name]) => !TEXTS.includes(name))))).join("")})`;

// The beginning of a text that is no SGF, or of bytes, as one word: whole lines, of which yomi reads the first game.
function encode_start(text) {
	if (typeof text !== "string")
		return Array.from(text.subarray(0, BODY_MAX / 4), byte => `%${byte.toString(16).padStart(2, "0")}`).join("");
	for (let end = text.length; end > 0 && encodeURIComponent(text).length > BODY_MAX; text = text.slice(0, end))
		end = text.lastIndexOf("\n", end / 2);
	return encodeURIComponent(text);
}

// Asks yomi for the moves of a line. Refuses one that begins with another position than `wanted`, such as later set-up.
async function read_word(word, wanted) {
	if (word.length > BODY_MAX)
		throw new Refused("the record is too long");
	const note = await send(`yomi-loadsgf ${word}`);
	const [position, { position: start }, sgf] = await Promise.all([ask("yomi-position"), ask("yomi-position 0"), send("printsgf")]);
	const root = parse_sgf(sgf);
	if (start !== (wanted ?? start))
		throw new Refused("the line begins with another position");
	return { note, position, start, props: root.props, plays: sgf_lines(root, 1)[0].filter(play_of) };
}

const read_line = (nodes, wanted) => read_word(encodeURIComponent(line_text(nodes)), wanted);

function take_note(node, { props: { C: comments, V: values } }) {
	if (comments)
		node.comment = [node.comment, ...comments.map(unescape_sgf)].filter(Boolean).join("\n");
	const value = Number(values?.[0]);
	if (values && Math.abs(value) <= 1)
		node.score = { value, score: null, proven: false, exact: false };
}

// Adds the moves of a line, and what the nodes of the file say if they are one node a move.
function add_line(root, nodes, { position, plays }) {
	const is_same = nodes.filter(play_of).length === position.moves.length;
	let node = root, count = 0;
	const add = () => {
		const { color, move } = position.moves[count];
		node = node.add(color, move);
		if (plays.length === position.moves.length)
			node.sgf = move_text(plays[count].props, play_of(plays[count]));
		count++;
	};
	for (const it of is_same ? nodes : []) {
		if (play_of(it))
			add();
		if (!it.is_noted)
			take_note(node, it);
		it.is_noted = true;
	}
	while (count < position.moves.length)
		add();
	return node;
}

// Reads SGF with its variations, or the first game of a text or of bytes in another format. Resolves to { game, skipped, note }: members of the game,
// at the end of the main line, the number of variations that are too many or that the engine refused, and what it guessed.
export async function read_record(text) {
	const tree = typeof text === "string" ? parse_sgf(text) : null, file = /^othello$/i.test(tree?.props.GM?.[0]) ? null : tree;
	const lines = file ? sgf_lines(file, LINES_MAX) : [[]];
	const main = await (!file ? read_word(encode_start(text)) :
		encodeURIComponent(text).length <= BODY_MAX ? read_word(encodeURIComponent(text)) : read_line(lines[0]));
	const { position, start } = main, { root } = new_tree();
	const at = add_line(root, lines[0], main), props = file?.props ?? main.props;
	let skipped = file ? count_lines(file) - lines.length : 0;
	for (const nodes of lines.slice(1))
		try {
			add_line(root, nodes, await read_line(nodes, start));
		} catch (error) {
			if (!(error instanceof Refused))
				throw error;
			skipped++;
		}
	const info = Object.fromEntries(INFO.filter(name => props[name]).map(name => [name, unescape_sgf(props[name][0])]));
	at.result = unescape_sgf(props.RE?.[0] ?? "");
	const [, winner, how] = /^([BW])\+([RT])/.exec(at.result) ?? [];
	if (winner && !position.over)
		Object.assign(at, { lost: winner === "B" ? "white" : "black", reason: how === "T" ? "time" : "resign" });
	return { skipped, note: main.note, game: { game: position.game, rules: position.rules, size: [position.rows, position.cols], komi: position.komi,
		start: await is_usual_start(position, start) ? null : start, info, root, at } };
}

// True if the game begins with this position by itself.
async function is_usual_start({ game: name, rules, rows, cols }, start) {
	await Promise.all([`set_game ${name}`, `param rules ${rules}`, `boardsize ${cols} ${rows}`, "clear_board"].map(line => send(line)));
	return (await ask("yomi-position")).position === start;
}

// --- links ---

// The address of the page with the game up to the end of the current line, and the current position.
export function link_text() {
	const line = game.at.line().slice(1), [rows, cols] = size_of(game), komi = game.komi ?? game.at.position?.komi;
	const parts = new URLSearchParams({ game: game.game, rules: game.rules, size: `${rows}x${cols}` });
	if (komi !== null && komi !== undefined)
		parts.set("komi", komi);
	if (game.start)
		parts.set("start", game.start);
	parts.set("moves", line.map(({ color, move }) => (color === "black" ? "b" : "w") + move).join("."));
	parts.set("at", game.at.ply);
	return `${location.origin}${location.pathname}#${parts}`;
}

// Reads the part of a link after #: members of the game, its moves and the ply to show. Returns null if it is no such link.
export function link_game(fragment) {
	const parts = new URLSearchParams(fragment), name = parts.get("game"), rules = parts.get("rules");
	const word = /^[a-z0-9-]+$/i, [, rows, cols] = /^(\d{1,2})x(\d{1,2})$/.exec(parts.get("size") ?? "") ?? [];
	const moves = (parts.get("moves") ?? "").split(".").filter(Boolean), start = parts.get("start");
	const komi = parts.has("komi") ? Number(parts.get("komi")) : null, ply = Number(parts.get("at") ?? moves.length);
	if (!word.test(name ?? "") || !word.test(rules ?? "") || !moves.every(text => /^[bw][a-z0-9*-]+$/i.test(text)) ||
		(start !== null && !/^[XO.:*-]+ [XO]$/i.test(start)) || (komi !== null && !Number.isFinite(komi)) || !Number.isInteger(ply) || ply < 0)
		return null;
	return { game: name, rules, size: rows ? [Number(rows), Number(cols)] : null, komi, start,
		moves: moves.map(text => ({ color: text[0] === "b" ? "black" : "white", move: text.slice(1) })), ply: Math.min(ply, moves.length) };
}
