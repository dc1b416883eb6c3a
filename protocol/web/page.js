// SPDX-License-Identifier: MIT
//
// The page: it connects displays, input and the connection to the game.
//
//	text, guides           all words
//	tree, sgf, store       a game's tree, SGF, what the browser keeps; they know nothing else
//	state, scores          the state that all parts share; scores in words
//	link, carrier          the connection; what moves its lines
//	engine, records        the engine's state; games as SGF and links
//	play                   what happens to the game
//	clock, sound           the time of each side; the sound of a move
//	puzzle, lessons        a puzzle as a game; questions to the engine
//	stage, moves, openings, panel, players, puzzles, aside, proofs, dialogs   displays; ground, board and charts draw for them
import { $, all, fill_select } from "./dom.js";
import { SWAP, error_text, game, keep, set_language, settings, t, view } from "./state.js";
import { known_search, link } from "./engine.js";
import * as play from "./play.js";
import { make_board, name_board, say, show_board, show_restore, show_state, tell_hint } from "./stage.js";
import { draw_report, pin_candidate, show_report } from "./panel.js";
import { next_mistake, place_judged, show_moves } from "./moves.js";
import { show_openings } from "./openings.js";
import { fill_games, make_players, name_players, show_terms } from "./players.js";
import * as dialogs from "./dialogs.js";
import { show_aside } from "./aside.js";
import { show_proofs } from "./proofs.js";
import { open_puzzles, show_puzzle } from "./puzzles.js";
import { set_clock, stop_clock } from "./clock.js";
import { play_sound } from "./sound.js";

const CLOCKS = [[1, 0], [3, 2], [5, 0], [10, 0], [15, 10], [30, 0], [60, 0]]; // minutes, and seconds a move

// --- display ---

function show_all() {
	show_board();
	show_state();
	show_puzzle();
	show_aside();
	show_proofs();
	show_restore();
	show_moves();
	show_openings();
	show_report();
}

let last = game.at;  // the node that was shown before
let is_made = false; // a move has led from it to this one

Object.assign(play.hooks, {
	moved() {
		is_made = last !== game.at && last === game.at.parent;
		last = game.at;
		set_clock(is_made ? game.at.color : null);
	},
	settled() {
		show_terms();
		if (is_made && settings.sound)
			play_sound();
		if (make_board())
			name_players();
		show_all();
		set_ready(true);
	},
	changed: show_state,
	stepped: show_all,
	reported: draw_report,
	said: say,
	rested: () => view.board.rest(),
});

function speak(language) {
	set_language(language);
	document.documentElement.lang = language;
	for (const node of all("[data-t]"))
		node.textContent = t[node.dataset.t];
	for (const node of all("[data-t-name]")) {
		node.setAttribute("aria-label", t[node.dataset.tName]);
		node.title = t[node.dataset.tName];
	}
	$("stage").setAttribute("aria-label", t.board);
	fill_games();
	make_players();
	fill_select($("clock"), [["", t.no_clock], ...CLOCKS.map(([minutes, seconds]) => [`${minutes} ${seconds}`, t.clock_name(minutes, seconds)])],
		settings.clock?.join(" ") ?? "");
	fill_select($("analysis-search"), view.searches.map(name => [name, name]), known_search(settings.analysis_search));
	name_board();
	for (const node of all("[data-key]:not([data-t-name])"))
		node.title = node.dataset.key;
	if (game.at.position) {
		show_all();
		set_clock(null);
	} else {
		$("status").textContent = t.connecting;
	}
}

function paint() {
	document.documentElement.dataset.theme = settings.theme;
}

// --- input ---

const on = (id, work) => $(id).addEventListener("click", work);

on("new", () => play.new_game());
on("first", play.go_first);
on("back", play.go_back);
on("on", play.go_on);
on("end", play.go_end);
on("branch-back", () => play.go_branch(-1));
on("branch-on", () => play.go_branch(1));
on("promote", play.promote);
on("take", play.take_back);
on("pass", () => play.play("PASS"));
on("swap", () => play.play(SWAP));
on("resign", play.resign);
on("go", play.go);
on("review", () => view.review ? play.act(() => {}) : play.start_review());
on("next-mistake", () => play.go_to(next_mistake));
on("better", play.play_better);
on("why", play.explain);
on("hint", () => play.hint().then(tell_hint));
on("hints", () => {
	settings.hints = !settings.hints;
	keep();
	show_all();
});
on("analyse", () => play.set_mode(!settings.analysis));
on("end-review", play.start_review);
on("rematch", () => play.rematch(false));
on("swap-sides", () => play.rematch(true).then(make_players).then(() => set_clock(null)));
on("open-puzzles", open_puzzles);
on("puzzle-again", play.take_back);
on("puzzle-next", () => play.next_puzzle().then(() => view.board.focus()));
on("what-if", play.ask_what_if);
on("explore", play.explore);
on("aside-keep", play.keep_aside);
on("aside-close", play.leave_aside);
on("restore", play.restore);
on("open-file", dialogs.open_file);
on("open-settings", dialogs.open_settings);
on("open-rules", dialogs.open_rules);
on("load-sgf", dialogs.load_text);
on("set-position", dialogs.load_position);
on("copy-sgf", dialogs.copy_record);
on("copy-link", dialogs.copy_link);
on("save-sgf", dialogs.save_record);
$("sgf-file").addEventListener("change", dialogs.load_file);
$("game").addEventListener("change", () => {
	const [name, rules] = $("game").value.split(" ");
	// With the focus on the list, arrow keys would choose another game.
	play.new_game({ game: name, rules, size: null }).then(() => view.board.focus());
});
$("size").addEventListener("change", () => {
	play.new_game({ size: $("size").value.split(" ").map(Number) }).then(() => view.board.focus());
});
$("komi").addEventListener("change", ({ target }) => {
	if (target.checkValidity() && Number.isFinite(target.valueAsNumber))
		play.set_komi(target.valueAsNumber);
});
$("comment").addEventListener("change", ({ target }) => {
	game.at.comment = target.value;
	keep();
	show_moves();
});

const choose = (id, name) => $(id).addEventListener("change", ({ target }) => {
	settings[name] = target.type === "checkbox" ? target.checked : target.value;
	view.pinned = null;
	keep();
	show_all();
});
choose("shown", "shown");
choose("show-line", "line");
choose("show-tree", "tree");
choose("letters", "letters");
choose("sound", "sound");
$("clock").addEventListener("change", ({ target }) => {
	settings.clock = target.value ? target.value.split(" ").map(Number) : null;
	game.left = null; // it begins anew
	keep();
	set_clock(null);
});
$("language").addEventListener("change", ({ target }) => {
	speak(target.value);
	keep();
});
$("theme").addEventListener("change", ({ target }) => {
	settings.theme = target.value;
	paint();
	keep();
});
$("analysis-search").addEventListener("change", ({ target }) => play.act(() => { settings.analysis_search = target.value; }));
$("seed").addEventListener("change", ({ target }) => {
	if (target.checkValidity() && target.value !== "")
		play.act(() => { settings.seed = target.valueAsNumber; });
});
$("candidates").tBodies[0].addEventListener("click", ({ target }) => pin_candidate(target.closest("tr").sectionRowIndex));

document.addEventListener("keydown", event => {
	const { key } = event, target = /** @type {Element} */ (event.target);
	if (event.ctrlKey || event.altKey || event.metaKey || document.querySelector("dialog[open]") ||
		target.matches("input:not([type=checkbox]), select, textarea"))
		return;
	if (key.startsWith("Arrow") && view.board) {
		view.board.focus();
		event.preventDefault();
		return;
	}
	if (key.length === 1 && !settings.letters)
		return;
	const node = all("[data-key]").find(n => n.dataset.key === key);
	if (node && !node.disabled && !node.closest("[hidden], [inert]")) {
		node.click();
		event.preventDefault();
	}
});

// A click outside, or Escape, closes open pop-ups.
function close_popovers(but) {
	for (const details of all("details[open]"))
		if (!details.contains(but)) {
			details.open = false;
			if (!but)
				details.firstElementChild.focus();
		}
}
document.addEventListener("click", event => close_popovers(event.target));
document.addEventListener("keydown", event => event.key === "Escape" && close_popovers(null));

// --- the connection ---

// Enables or disables the controls that need the engine. A game can be saved without it.
function set_ready(is_ready) {
	document.querySelector("main").inert = !is_ready;
	document.querySelector("main").ariaBusy = String(!is_ready);
	for (const id of ["game", "size", "komi", "new", "open-rules", "open-puzzles"])
		$(id).disabled = !is_ready;
	$("open-file").disabled = !game.game;
	dialogs.set_dialog_ready();
}

function show_trouble(text) {
	$("offline").textContent = text;
	$("offline").hidden = !text;
}

let linked = location.hash; // a game in the address is opened once

async function open_link() {
	const hash = linked;
	linked = "";
	if (!hash)
		return;
	history.replaceState(null, "", location.pathname);
	if (play.open_link(hash.slice(1)) === null)
		say(t.bad_link);
}

link.onopen = () => {
	show_trouble("");
	const is_first = !view.games.length;
	play.begin().then(() => {
		if (is_first)
			speak(settings.language);
		open_link();
	});
};
link.onlost = reason => {
	stop_clock();
	set_ready(false);
	show_trouble(reason ? t.refused(error_text(reason)) : t.lost);
};
link.onbusy = is_busy => {
	document.querySelector("main").ariaBusy = String(is_busy);
};
link.onsilence = is_silent => show_trouble(is_silent ? t.silent : "");
addEventListener("hashchange", () => {
	linked = location.hash;
	if (link.open)
		open_link();
});
document.addEventListener("visibilitychange", () => {
	if (!document.hidden)
		link.wake();
	else if (view.search?.kind !== "move")
		link.sleep();
});
addEventListener("pagehide", () => {
	stop_clock();
	keep();
	link.end();
});
addEventListener("pageshow", event => event.persisted && link.wake());

$("shown").value = settings.shown;
$("show-line").checked = settings.line;
$("show-tree").checked = settings.tree;
$("letters").checked = settings.letters;
$("sound").checked = settings.sound;
$("seed").value = settings.seed;
$("language").value = settings.language;
$("theme").value = settings.theme;
place_judged();
paint();
set_ready(false);
speak(settings.language);
link.connect();
