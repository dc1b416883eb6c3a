// SPDX-License-Identifier: MIT
//
// Scores as numbers, words and costs. A score is Black's: { value, score, proven, exact } with value -1 .. 1 or null and score
// in points or null.
import { game, settings, t } from "./state.js";

const sign = { black: 1, white: -1 };
const POINTS = 8; // points that count as half a win in charts

export const short = n => {
	for (const { size, name } of [{ size: 1e9, name: "G" }, { size: 1e6, name: "M" }, { size: 1e3, name: "k" }])
		if (n >= size)
			return (n / size >= 100 ? Math.round(n / size) : (n / size).toFixed(1)) + name;
	return String(Math.round(n));
};
export const percent = (value, colour) => Math.round(50 * (1 + sign[colour] * value));
const outcome = (value, colour) => value === 0 ? "draw" : value * sign[colour] > 0 ? "win" : "loss";
const signed = score => {
	const text = Math.abs(score).toFixed(Number.isInteger(score) ? 0 : 1);
	return (Number(text) === 0 ? "±" : score > 0 ? "+" : "−") + text;
};

export const unit = () => t.units[game.at.position?.unit] ?? game.at.position?.unit ?? "";

// The score of a report or of one of its moves; null if there is none.
export function score_of({ value, score, lower, upper, exact }) {
	const proven = lower === upper;
	return value === null && score === null && !proven ? null : { value: proven ? lower : value, score, proven, exact };
}

export const proof_of = ({ lower, upper }, colour) => lower === upper ? outcome(lower, colour) : null;

// The height of a score in charts, -1 .. 1. Points without a win rate approach the ends asymptotically.
export const height = score => score ? score.value ?? score.score / (Math.abs(score.score) + POINTS) : undefined;

// The height from the view of a colour.
export const worth = (score, colour) => sign[colour] * height(score);

// True if a proven score is worth telling: the game counts points, and one side is ahead.
const has_points = ({ score }) => Boolean(game.at.position?.unit) && score !== 0;

// A proven score in points, "" if the outcome says it all.
export const exact_text = (score, colour) => score.exact && has_points(score) ? signed(sign[colour] * score.score) : "";

// A score as a short text, from the view of `colour`.
export function score_text(score, colour) {
	if (!score)
		return "";
	if (score.proven)
		return exact_text(score, colour) || t[outcome(score.value, colour)];
	if (score.value === null || (settings.shown === "score" && score.score !== null))
		return signed(sign[colour] * score.score);
	return `${percent(score.value, colour)}%`;
}

// --- what a move cost ---

// Losses from which a move is an inaccuracy, a mistake, a blunder: in percent of the win rate, and in points.
const KINDS = ["inaccuracy", "mistake", "blunder"];
const PERCENT_LOST = [5, 10, 20], POINTS_LOST = [2, 5, 10];

const kind_of = (lost, least) => KINDS[least.filter(limit => lost >= limit).length - 1] ?? null;

// Judges a move by the scores before and after it. Returns { kind, cost }, the cost in words; null if it was good, or if a score is
// missing. The best move that was found cost nothing, whatever a longer search says later.
export function judge(node) {
	const before = node.parent?.score, after = node.score, { color } = node;
	if (!before || !after || node.parent.best?.move === node.move)
		return null;
	const percent_lost = Math.round(50 * (worth(before, color) - worth(after, color)));
	const points_lost = before.score === null || after.score === null ? NaN : sign[color] * (before.score - after.score);
	const in_points = !Number.isNaN(points_lost) && (before.exact && after.exact || before.value === null || after.value === null);
	const is_turned = before.proven && after.proven && before.value !== after.value;
	const kind = is_turned && percent_lost > 0 ? "blunder" : in_points ? kind_of(points_lost, POINTS_LOST) : kind_of(percent_lost, PERCENT_LOST);
	if (!kind)
		return null;
	const cost = is_turned ? t.became(t[outcome(before.value, color)], t[outcome(after.value, color)]) :
		in_points ? t.lost_points(points_lost.toFixed(Number.isInteger(points_lost) ? 0 : 1), unit()) : t.lost_percent(percent_lost);
	return { kind, cost };
}

// True if such a text is a number of points.
export const is_lead = text => /^[+−±]/.test(text);
