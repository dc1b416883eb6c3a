// SPDX-License-Identifier: MIT
//
// The engine's explanation of a move in the user's language. The engine writes English; for Japanese the page makes the
// sentences from the keys, sides, numbers and names of the facts. A fact without a Japanese sentence stays English.
import { colour_name, move_name, other, t } from "./state.js";
import { percent, proof_of, score_of } from "./scores.js";

const NAMES_SHOWN = 6; // most names in a sentence

// By the key of a fact: a sentence of the side, the other side, the names, and the two numbers.
export const SENTENCES = {
	ja: {
		win: s => `${s}の勝ちです`,
		draw: () => "引き分けで終わります",
		loss: s => `${s}はすぐに負けます`,
		misses_win: (s, o, q) => `${s}は${q}ですぐに勝てました`,
		allows_win: (s, o, q) => `次に${o}が${q}ですぐに勝てます`,
		stops_win: (s, o, q) => `${o}の${q}での勝ちを防ぎます`,
		threat: (s, o, q) => `${s}は次に${q}での勝ちを狙います`,
		double_threat: (s, o, q) => `${s}は次に${q}での勝ちを狙い、${o}は防げません`,
		allows_forced_win: (s, o, q) => `次に${o}が${q}から必ず勝てます`,
		decided: s => `${s}は競走に勝っています`,
		can_win: (s, o, q) => `${s}は${q}ですぐに勝てます`,
		can_force_win: (s, o, q) => `${s}は${q}から必ず勝てます`,
		pass: s => `${s}は打てる所がなく、パスです`,
		only_answer: (s, o, q) => `${s}がすぐに負けない手は${q}だけです`,
		row: (s, o, q, n) => `${s}の石が${n}個並びます(${q})`,
		corner: (s, o, q) => `${s}が隅の${q}を取ります`,
		opens_corner: (s, o, q) => `次に${o}が隅の${q}を取れます`,
		can_take_corner: (s, o, q) => `${s}は隅の${q}を取れます`,
		stable: (s, o, q, n, m) => `決して返されない石は、${s}が${n}個、${o}が${m}個です`,
		mobility: (s, o, q, n, m) => `打てる所は、${s}が${n}か所、${o}の番なら${m}か所です`,
		captures: (s, o, q, n) => `${s}が石を${n}個取ります(${q})`,
		atari: (s, o, q, n) => `${s}は次に石を${n}個取れます(${q})`,
		saves: (s, o, q, n) => `取られそうな石を${n}個助けます(${q})`,
		self_atari: (s, o, q, n) => `次に${o}が石を${n}個取れます(${q})`,
		in_atari: (s, o, q, n) => `${o}は${s}の石を${n}個取れます(${q})`,
		joins: (s, o, q, n) => `${s}の連を${n}個つなぎます`,
		bridge: (s, o, q) => `${s}は${q}と、切られない形で結びます`,
		needs: (s, o, q, n, m) => `つなぐのに要る石は、${s}があと${n}個、${o}があと${m}個です`,
		blocks: (s, o, q, n, m) => `${o}がつなぐのに要る石は、${m}個から${n}個になります`,
		reaches: (s, o, q, n, m) => `${s}の連が、辺${n}個と隅${m}個に届きます`,
		takes: (s, o, q) => `${s}が${q}の駒を取ります`,
		can_capture: (s, o, q) => `次に${o}が${q}の駒を取れます`,
		race: (s, o, q, n, m) => `先頭の駒がゴールに着くまで、少なくとも${s}は${n}手、${o}は${m}手かかります`,
		groups: (s, o, q, n, m) => `駒のまとまりは、${s}が${n}個、${o}が${m}個です`,
	},
};

const WORDS = {
	ja: {
		more: n => `ほか${n}か所`, chance: (colour, n) => `${colour}の勝率${n}%`, result: (colour, what) => `${colour}の${what}(証明済み)`,
		good: "最善と同じくらいよい手です", results: { 1: "勝ち", 0: "引き分け", "-1": "負け" },
		points: (n, unit) => `約${n}${unit || "点"}の損です`, chances: (before, after) => `勝率が${before}%から${after}%になりました`,
		became: (before, after) => `${before}が${after}になりました(証明済み)`, is: (move, text) => `${move}:${text}`,
		follows: line => `続き:${line}`, better: text => `最善は${text}`, stop: "。",
	},
};

function fact_text(fact, language) {
	const sentence = SENTENCES[language]?.[fact.key];
	if (!sentence)
		return fact.text;
	const shown = fact.count <= NAMES_SHOWN ? fact.names : fact.names.slice(0, NAMES_SHOWN - 1);
	const names = shown.map(move_name).join(" ") + (fact.count > shown.length ? ` ${WORDS[language].more(fact.count - shown.length)}` : "");
	return sentence(colour_name(fact.side), colour_name(other(fact.side)), names, ...fact.numbers);
}

// The facts of a move as one text without its full stop.
export const facts_text = (facts, language) => facts.map(fact => fact_text(fact, language)).join(HINTS[language].stop);

function worth_text(worth, colour, words) {
	const score = score_of(worth), proof = proof_of(worth, colour);
	if (proof)
		return words.result(colour_name(colour), t[proof]);
	return score?.value === null || !score ? null : words.chance(colour_name(colour), percent(score.value, colour));
}

function loss_text({ size, unit, amount, before, after }, words, points) {
	if (size === "good" || unit === "none")
		return words.good;
	const cost = unit === "result" ? words.became(words.results[before], words.results[after]) :
		unit === "points" ? words.points(Number(amount.toFixed(1)), points) :
			words.chances(Math.round(100 * before), Math.round(100 * after));
	return `${t.kinds[size]}です。${cost}`;
}

// The lines of an explanation, the answer of yomi-explain, and their language. `points` is the unit of the score.
export function explanation(lesson, language, points) {
	const words = WORDS[language];
	if (!words || !lesson.facts)
		return lesson.text.map(text => ({ text, lang: "en" }));
	const { side, move, best } = lesson, line = moves => moves.length ? words.follows(moves.map(move_name).join(" ")) : null;
	const tell = (name, ...parts) => words.is(move_name(name), parts.flat().filter(Boolean).join(words.stop) + words.stop);
	const facts = list => list.map(fact => fact_text(fact, language));
	const of_best = tell(best.move, worth_text(best.worth, side, words), facts(best.facts), line(best.line.slice(1)));
	const texts = best.move === move ? [of_best] : [
		tell(move, loss_text(lesson.loss, words, points), worth_text(lesson.worth, side, words), facts(lesson.facts), line(lesson.answer)),
		words.better(of_best),
	];
	return texts.map(text => ({ text, lang: language }));
}

// What speaks against a move, and what may follow its answer: sentences.
export function refutation({ facts, answer }, language) {
	const words = WORDS[language], line = answer.slice(1).map(move_name).join(" ");
	const against = facts.filter(({ tone }) => tone === "against").map(fact => fact_text(fact, language) + (words?.stop ?? "."));
	return line ? [...against, (words?.follows(line) ?? `Then ${line} may follow`) + (words?.stop ?? ".")] : against;
}

// What the last search has kept about a position, the answer of yomi-tree, in one sentence.
const NODES = {
	ja: {
		goals: { win: "勝つ", draw: "負けない" }, result: black => black ? `${colour_name(black > 0 ? "black" : "white")}の勝ち` : "引き分け",
		over: what => `終局で、${what}です`, proven: (s, what) => `${s}の番で、${what}が証明されています`,
		or: (s, goal, p, d) => `${s}の番で、${goal}手が一つあれば足ります。証明数${p}は最も易しい手で決まり、反証数${d}は未解決の手ごとに増えます`,
		and: (s, o, goal, p, d) => `${s}の番で、どの手にも${o}が${goal}必要があります。証明数${p}は未解決の手ごとに増え、反証数${d}は最も易しい手で決まります`,
		unknown: s => `${s}の番で、証明数は分かっていません`, nothing: "最後の探索は、この局面について何も残していません",
		first: "これは df-pn の初めの数で、ほかの数は残っていません", visits: (s, n, value) => `UCT の訪問は${n}回で、${s}から見た値は${value}です`, stop: "。",
	},
};

export function node_text(node, language) {
	const words = NODES[language];
	if (!words)
		return { text: node.text, lang: "en" };
	const { kind, side, lower, upper, visits, value } = node, own = colour_name(node.for), mover = side && colour_name(side), texts = [];
	const is_open = it => Boolean(it) && it.proof !== 0 && it.disproof !== 0, goal = is_open(node.win) ? "win" : "draw", numbers = node[goal];
	if (kind === "end") {
		texts.push(words.over(words.result(lower)));
	} else if (lower === upper) {
		texts.push(words.proven(mover, words.result(lower)));
	} else if (is_open(numbers)) {
		texts.push(kind === "or" ? words.or(own, words.goals[goal], numbers.proof, numbers.disproof) :
			words.and(mover, own, words.goals[goal], numbers.proof, numbers.disproof));
		if (!numbers.stored)
			texts.push(words.first);
	} else {
		texts.push(visits ? words.unknown(mover) : words.nothing);
	}
	if (visits)
		texts.push(words.visits(colour_name("black"), visits, value.toFixed(2)));
	return { text: texts.join(words.stop) + words.stop, lang: language };
}

// What to look for, by the facts of the best move; the first that it has counts.
const KINDS = [
	["win", "a move wins at once", "すぐに勝てる手があります"],
	["double_threat", "a move makes a threat that cannot be stopped", "防げない狙いを作る手があります"],
	["stops_win", "a threat must be stopped", "相手の狙いを防ぐ所です"],
	["corner", "take a corner", "隅を取りましょう"],
	["captures", "look for a capture", "取れるものを探しましょう"],
	["takes", "look for a capture", "取れるものを探しましょう"],
	["saves", "save stones from capture", "取られそうな石を助けましょう"],
	["threat", "look for a threat", "勝ちを狙う手を探しましょう"],
	["atari", "look for stones to capture", "次に取れる石を探しましょう"],
	["blocks", "block the other side", "相手をさえぎりましょう"],
	["joins", "join groups", "連をつなぎましょう"],
	["bridge", "look for a bridge", "切られない形を探しましょう"],
	["reaches", "reach an edge or a corner", "辺か隅に届かせましょう"],
];
const HINTS = {
	en: {
		kind: 1, look: place => `look ${place}`, one_of: moves => `the best move is one of ${moves}`, best: (move, why) => `the best move is ${move}${why && `: ${why}`}`,
		stop: "; ", none: "no square is best", end: ".",
		parts: [["at the upper left", "at the top", "at the upper right"], ["on the left", "in the centre", "on the right"], ["at the lower left", "at the bottom", "at the lower right"]],
	},
	ja: {
		kind: 2, look: place => `${place}を見ましょう`, one_of: moves => `最善は次のどれかです:${moves}`, best: (move, why) => `最善は${move}です${why && `。${why}`}`,
		stop: "。", none: "盤に打つ手ではありません", end: "。",
		parts: [["左上", "上", "右上"], ["左", "中央", "右"], ["左下", "下", "右下"]],
	},
};

// The step of a hint in words, without numbers of the search. `place` is [row, column] of the best move from the top left, as parts of the board's
// height and width; null: it has no square.
export function hint_text({ lesson, told }, language, place) {
	const words = HINTS[language], { best, candidates } = lesson, texts = [];
	if (told === 1) {
		const kind = KINDS.find(([key]) => best.facts.some(fact => fact.key === key));
		const [row, column] = (place ?? []).map(part => Math.floor(3 * part));
		texts.push(...kind ? [kind[words.kind]] : [], ...place ? [words.look(words.parts[row][column])] : kind ? [] : [words.none]);
	} else if (told === 2) {
		texts.push(words.one_of([...candidates].sort().map(move_name).join(" ")));
	} else {
		texts.push(words.best(move_name(best.move), facts_text(best.facts, language)));
	}
	const text = texts.join(words.stop) + words.end;
	return text[0].toUpperCase() + text.slice(1);
}
