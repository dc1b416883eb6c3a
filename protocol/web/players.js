// SPDX-License-Identifier: MIT
//
// The cards of the two players, and the choice of game, size and komi.
import { $, fill_select, set_text } from "./dom.js";
import { COLOURS, colour_name, game, settings, size_name, size_of, sizes_of, t, title_of, view } from "./state.js";
import { known_search } from "./engine.js";
import { act } from "./play.js";

const LEVELS = [1, 2, 3, 4, 5, 6, 7, 8, 9, 0]; // 0: full strength

export function make_players() {
	for (const colour of COLOURS)
		make_player(colour);
	name_players();
	COLOURS.forEach(fill_who);
}

function make_player(colour) {
	const player = settings.players[colour], card = $(`player-${colour}`), { usual, searches } = view;
	card.innerHTML = `
		<legend class="hidden"></legend>
		<span class="stone" aria-hidden="true"></span>
		<span class="kind"><select class="who"></select><small class="rank" aria-hidden="true"></small></span><span class="name"></span>
		<details><summary><svg aria-hidden="true"><use href="#i-gear"/></svg></summary>
			<div class="popover">
				<label><span></span><select class="search"></select></label>
				<label><span></span><input class="threads" type="number" min="1"></label>
				<label><span></span><span class="pair"><input class="limit" type="number" min="0.01" step="any"><select class="unit"></select></span></label>
			</div></details>
		<span class="facts"><span class="clock" hidden></span><span class="count"></span></span>`;
	const part = name => card.querySelector(name);
	part("summary").title = t.settings;
	[t.search, t.threads, t.budget].forEach((words, i) => {
		card.querySelectorAll("label > span:first-child")[i].textContent = words;
	});
	fill_select(part(".search"), searches.map(name => [name, name]), known_search(player.search));
	fill_select(part(".unit"), [["time", t.seconds], ["playouts", t.playouts_unit]], player.unit);
	part(".threads").max = usual.threads;
	part(".threads").value = player.threads ?? usual.threads;
	part(".limit").value = player.limit ?? usual.time;

	part(".who").addEventListener("change", ({ target }) => {
		player.yomi = target.value !== "person";
		if (player.yomi)
			player.level = Number(target.value);
		act(() => {});
	});
	for (const name of ["search", "threads", "limit", "unit"])
		part(`.${name}`).addEventListener("change", ({ target }) => {
			if (target.checkValidity() && target.value !== "") // an empty field is valid
				act(() => {
					player[name] = target.type === "number" ? target.valueAsNumber : target.value;
					if (name === "unit") // the number that is shown may be the usual time
						player.limit = part(".limit").valueAsNumber || null;
				});
		});
}

// A person, or yomi at a level, with its Elo in this game if it has one. A closed list may cut its text, so name and Elo also stand below it.
function fill_who(colour) {
	const player = settings.players[colour], { level } = player, card = $(`player-${colour}`);
	const rank = n => t.rank(t.levels[n], game.at.position?.ratings?.[n - 1]);
	fill_select(card.querySelector(".who"), [["person", t.person], ...LEVELS.map(n => [String(n), `yomi ${n ? `${n} – ` : ""}${rank(n)}`])],
		player.yomi ? String(level) : "person");
	set_text(card.querySelector(".rank"), player.yomi && level ? rank(level) : "");
}

// The sides are Black and White, or X and O.
export function name_players() {
	for (const colour of COLOURS) {
		const part = name => $(`player-${colour}`).querySelector(name);
		part("legend").textContent = colour_name(colour);
		part(".who").setAttribute("aria-label", `${colour_name(colour)}: ${t.kind}`);
		part("summary").setAttribute("aria-label", `${colour_name(colour)}: ${t.settings}`);
	}
}

export function fill_games() {
	const choices = view.games.flatMap(({ game: name, rules }) => rules.map(rule => [`${name} ${rule}`,
		title_of(name) + (rules.length > 1 && rule !== name ? ` – ${t.rules[rule] ?? rule}` : "")]));
	fill_select($("game"), choices, `${game.game} ${game.rules}`);
}

// Shows which game it is. Boards of different sizes are named by columns and rows, or by what players call them.
export function show_terms() {
	const sizes = sizes_of(game.game), { komi } = game.at.position;
	$("game").value = `${game.game} ${game.rules}`;
	$("size-label").hidden = sizes.length < 2;
	fill_select($("size"), [...sizes].sort(([a, b], [c, d]) => a * b - c * d).map(([rows, cols, base]) =>
		[`${rows} ${cols}`, size_name([rows, cols, base])]), size_of(game).slice(0, 2).join(" "));
	$("komi-label").hidden = komi === null || game.puzzle !== null;
	$("komi").value = komi;
	COLOURS.forEach(fill_who);
}
