// SPDX-License-Identifier: MIT
//
// The clocks. The clock of the side to move runs in play, from the first move on, while the page is connected. Going back or
// analysing stops it; time that is gone does not come back.
import { $ } from "./dom.js";
import { COLOURS, game, has_ended, settings } from "./state.js";
import { link } from "./engine.js";
import { lose_on_time } from "./play.js";

const TICK = 200;      // ms between two looks at the clock
const SHOWS_TENTHS = 10; // seconds below which tenths are shown

let running = null; // the colour whose clock runs
let since = 0;      // performance.now() up to which its time is counted

const wanted = () => settings.clock && link.open && !settings.analysis && !game.puzzle && !has_ended() && game.at.parent && !game.at.children.length ?
	game.at.position.to_move : null;

function count() {
	const now = performance.now();
	if (running && game.left) // another game may have begun
		game.left[running] = Math.max(game.left[running] - (now - since) / 1000, 0);
	since = now;
}

// The game has changed. `made` is the colour that has made a move, or null.
export function set_clock(made) {
	count();
	if (settings.clock)
		game.left ??= Object.fromEntries(COLOURS.map(colour => [colour, 60 * settings.clock[0]]));
	if (made && made === running)
		game.left[made] += settings.clock?.[1] ?? 0;
	running = wanted();
	show_clock();
}

// The game then has the time up to now.
export function stop_clock() {
	count();
	running = null;
}

const text_of = seconds => {
	const whole = seconds < SHOWS_TENTHS ? seconds : Math.ceil(seconds), minutes = Math.floor(whole / 60), rest = whole - 60 * minutes;
	return `${minutes}:${seconds < SHOWS_TENTHS ? rest.toFixed(1).padStart(4, "0") : String(rest).padStart(2, "0")}`;
};

function show_clock() {
	for (const colour of COLOURS) {
		const node = $(`player-${colour}`).querySelector(".clock");
		node.hidden = !settings.clock || !game.left || settings.analysis || game.puzzle !== null;
		node.textContent = game.left ? text_of(game.left[colour]) : "";
		node.classList.toggle("low", Boolean(game.left) && game.left[colour] < SHOWS_TENTHS);
	}
}

setInterval(() => {
	if (!link.open)
		stop_clock();
	if (!running || !game.left)
		return;
	count();
	show_clock();
	if (game.left[running] <= 0) {
		const loser = running;
		running = null;
		lose_on_time(loser);
	}
}, TICK);
