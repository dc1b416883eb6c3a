// SPDX-License-Identifier: MIT
//
// The card of a line that is not in the game: what follows a move. The board plays it once and returns to the position, unless
// the user steps through it.
import { $, element, set_text } from "./dom.js";
import { colour_name, move_name, settings, t, view } from "./state.js";
import { explanation } from "./reasons.js";
import { step_aside } from "./play.js";
import { unit } from "./scores.js";

const STEP = 1200; // ms between two moves; at the end of the line twice as long

let shown = null, timer;

function play_on(line) {
	const { step, nodes } = line, is_end = step === nodes.length - 1;
	timer = setTimeout(() => {
		if (view.aside !== line || !line.plays)
			return;
		step_aside(is_end ? 0 : step + 1, !is_end);
		if (!is_end)
			play_on(line);
	}, is_end ? 2 * STEP : STEP);
}

// Text that stays is not set anew, because it is read aloud.
function show_text(place, sentences) {
	if ([...place.children].map(node => node.textContent).join() !== sentences.map(it => it.text).join())
		place.replaceChildren(...sentences.map(({ text, lang }) => element("span", { textContent: text, lang })));
}

export function show_aside() {
	const line = view.aside?.kind === "line" ? view.aside : null, had_focus = $("aside").contains(document.activeElement);
	$("aside").hidden = !line;
	$("what-if").setAttribute("aria-pressed", String(view.asks || Boolean(line)));
	if (line !== shown) {
		clearTimeout(timer);
		shown = line;
		if (line)
			begin(line);
		else if (had_focus)
			view.board.focus();
	}
	if (!line)
		return;
	const { lesson, nodes: [, { color, move }] } = line, { text, lang } = explanation(lesson, settings.language, unit())[0];
	set_text($("aside-title"), t.if_played(colour_name(color), move_name(move)));
	show_text($("aside-text"), [{ text: /[.。]$/.test(text) ? text : `${text}.`, lang }, ...lesson.move === lesson.best?.move ? [{ text: t.costs_nothing, lang: settings.language }] : []]);
	[...$("aside-moves").querySelectorAll("button")].forEach((button, step) => {
		set_text(button, step ? move_name(line.nodes[step].move) : t.the_position);
		if (step === line.step)
			button.setAttribute("aria-current", "step");
		else
			button.removeAttribute("aria-current");
	});
}

function begin(line) {
	$("aside-moves").replaceChildren(...line.nodes.map((_, step) => element("li", {},
		element("button", { onclick: () => step_aside(step) }))));
	line.plays = !matchMedia("(prefers-reduced-motion: reduce)").matches;
	if (line.plays)
		play_on(line);
}
