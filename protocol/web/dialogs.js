// SPDX-License-Identifier: MIT
//
// The dialogs: game record and recent games, rules, settings and keys.
import { $, all, element, pair } from "./dom.js";
import { guides } from "./guides.js";
import { error_text, game, settings, t, title_of, unpack_game, view } from "./state.js";
import { ask, link, tell } from "./engine.js";
import { Lost } from "./link.js";
import { act, load_record, open_game, set_position } from "./play.js";
import { link_text, write_record } from "./records.js";
import { forget_game, recent_games } from "./store.js";
import { say } from "./stage.js";

const SAID = 1500; // ms for which a button says what it has done

// --- game record ---

export function open_file() {
	$("sgf-error").textContent = $("position-error").textContent = "";
	$("sgf").value = write_record();
	$("position").value = game.at.position ? spread(game.at.position) : "";
	show_recent();
	set_dialog_ready();
	$("file-dialog").showModal();
}

// Without a connection a game can be saved, but none can be read.
export function set_dialog_ready() {
	for (const id of ["load-sgf", "sgf-file", "set-position"])
		$(id).disabled = !link.open;
	for (const button of $("recent").querySelectorAll(".open"))
		button.disabled = !link.open;
}

// Position text with one row per line.
function spread({ position, cols }) {
	const [squares, side] = position.split(" ");
	return squares.replace(new RegExp(`.{${cols}}`, "g"), "$&\n") + side;
}

// Shows an error beside the input that caused it.
async function from_dialog(place, work) {
	$("sgf-error").textContent = $("position-error").textContent = "";
	try {
		const { skipped, note } = await work() ?? {};
		const notes = [note, skipped && t.skipped(skipped)].filter(Boolean);
		$("file-dialog").close();
		if (notes.length)
			say(notes.join(" "));
	} catch (error) {
		$(place).textContent = error instanceof Lost ? t.lost : error_text(error.message);
	}
}

export const load_text = () => from_dialog("sgf-error", () => load_record($("sgf").value));
export const load_position = () => from_dialog("position-error", () => set_position($("position").value));

export async function load_file({ target }) {
	const bytes = new Uint8Array(await target.files[0].arrayBuffer()), mark = bytes[0] * 256 + bytes[1];
	const is_wide = mark === 0xfffe || mark === 0xfeff, is_text = is_wide || !bytes.includes(0);
	const text = new TextDecoder(!is_wide ? "utf-8" : mark === 0xfffe ? "utf-16le" : "utf-16be").decode(bytes);
	target.value = "";
	if (is_text)
		$("sgf").value = text;
	from_dialog("sgf-error", () => load_record(is_text ? text : bytes));
}

function tell_done(button, text) {
	button.textContent = text;
	setTimeout(() => { button.textContent = t[button.dataset.t]; }, SAID);
}

// Browsers offer the clipboard only to pages of this machine or with encryption; else the selection is copied.
async function copy_text(text, button) {
	if (navigator.clipboard) {
		await navigator.clipboard.writeText(text);
	} else {
		const area = element("textarea", { value: text });
		$("file-dialog").append(area);
		area.select();
		document.execCommand("copy");
		area.remove();
	}
	tell_done(button, t.copied);
}

export const copy_record = () => copy_text($("sgf").value, $("copy-sgf"));
export const copy_link = () => copy_text(link_text(), $("copy-link"));

export function save_record() {
	const a = document.createElement("a");
	a.href = URL.createObjectURL(new Blob([$("sgf").value], { type: "application/x-go-sgf" }));
	a.download = `yomi-${game.game}.sgf`;
	a.click();
	URL.revokeObjectURL(a.href);
}

// --- recent games ---

function show_recent() {
	const date = new Intl.DateTimeFormat(settings.language, { dateStyle: "medium", timeStyle: "short" });
	const games = recent_games().filter(it => it.id !== game.id && unpack_game(it));
	$("recent-none").hidden = games.length > 0;
	$("recent").replaceChildren(...games.map(it => {
		const moves = it.nodes.length - 1, name = `${title_of(it.game)}, ${moves === 1 ? t.one_move : t.moves(moves)}, ${date.format(it.time)}`;
		const open = element("button", { className: "open", onclick: () => open_recent(it.id) }, name);
		const drop = element("button", { className: "drop", ariaLabel: t.forget_game(name), title: t.forget_game(name), textContent: "×", onclick: () => {
			forget_game(it.id);
			view.left = view.left.filter(id => id !== it.id);
			show_recent();
			$("recent").querySelector("button")?.focus();
		} });
		return element("li", {}, open, drop);
	}));
}

async function open_recent(id) {
	await open_game(id);
	$("file-dialog").close();
}

// --- rules ---

// The rules in the page's language if guides.js has them, else in the engine's words.
export function open_rules() {
	act(async () => {
		await tell();
		const text = guides[settings.language]?.[`${game.game} ${game.rules}`] ?? (await ask("yomi-rules")).guide;
		$("rules-title").textContent = $("game").selectedOptions[0].textContent;
		// Paragraphs flow; a block with an indented line is a diagram.
		$("rules-text").replaceChildren(...text.trimEnd().split(/\n\n+/).map(block =>
			element(/^ /m.test(block) ? "pre" : "p", { textContent: block })));
		$("rules-dialog").showModal();
	});
}

// --- settings and keys ---

export function open_settings() {
	const letters = view.board?.layout.turns.map(turn => turn.letter) ?? [];
	const keys = [[t.arrows, t.key_board], [t.enter, t.key_play], ["Escape", t.key_escape]];
	if (letters.length)
		keys.splice(2, 0, [letters.join(" "), t.key_turn]);
	for (const node of all("[data-key]"))
		keys.push(node.id === "better" ? [node.dataset.key, t.key_better] : [node.dataset.key, node.getAttribute("aria-label") ?? (node.tagName === "INPUT" ? node.parentElement : node).textContent.trim()]);
	$("keys").replaceChildren(...keys.map(([key, words]) => pair(element("kbd", {}, key), words)));
	$("settings-dialog").showModal();
}
