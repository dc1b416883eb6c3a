// SPDX-License-Identifier: MIT
//
// The page: the game, its analysis and the controls.
//
// The game is kept here: the moves of one line, and how many of them are played (the rest can be redone). Every action
// changes this state first. Then tell() sends the engine, which knows the rules, the difference to its own state. So
// undo, going back, a new game and a lost connection are one case. Changes run one after the other (act). A change ends
// the running search. Afterwards the next search begins: the engine's move if it plays the side to move, else the
// analysis if it is on.
//
// The file is long because all its parts share this state; board, charts, link and texts have files of their own.
"use strict";

(() => {
	const $ = id => document.getElementById(id);
	// A text that is set anew costs layout and paint, even if it is the same.
	const set_text = (node, text) => {
		if (node.textContent !== String(text))
			node.textContent = text;
	};
	const element = (name, properties, ...children) => {
		const node = Object.assign(document.createElement(name), properties);
		node.append(...children);
		return node;
	};
	const COLOURS = ["black", "white"];
	const SWAP = "SWAP-PIECES"; // the move by which White takes over Black's first stone
	const REPORTS = 15;         // hundredths of a second between reports
	const REVIEW_SECONDS = 0.6; // time for each move when all moves are evaluated
	const REVIEW_PATIENCE = 5;  // seconds after which the evaluation goes on without a value
	const CANDIDATES = 7;       // moves in the list
	const SMALL_BOARD = 100;    // squares of the largest board on which every move may have a mark
	const MARKS = 24;           // moves in a report on larger boards, the best ones
	const REST = 2;             // rest after drawing a report, as a multiple of the time that it took
	const LINES_KEPT = 20;      // replaced lines that can be restored
	const MERIT_SPAN = 0.4;     // moves this much worse than the best one (of -1 .. 1) have the coldest colour

	// --- stored state ---

	// Storage may be forbidden, or hold damaged text or values of another version. A member is used only if its check
	// accepts it.
	function recall(place, known, checks) {
		try {
			const kept = JSON.parse(window[place].getItem("yomi")) ?? {};
			for (const [name, check] of Object.entries(checks))
				if (check(kept[name]))
					known[name] = kept[name];
		} catch {
			// Without storage every visit is like the first.
		}
		return known;
	}

	function store(place, value) {
		try {
			window[place].setItem("yomi", JSON.stringify(value));
		} catch {
			// The page works without storage.
		}
	}

	const is_text = v => typeof v === "string";
	const is_flag = v => typeof v === "boolean";
	const is_whole = (v, least, most) => Number.isSafeInteger(v) && v >= least && v <= most;
	const one_of = (...choices) => v => choices.includes(v);
	const is_unset = v => v === null;
	const is_player = v => v instanceof Object && is_flag(v.yomi) && is_whole(v.level, 0, 10) &&
		(is_unset(v.search) || is_text(v.search)) && (is_unset(v.threads) || is_whole(v.threads, 1, 1024)) &&
		(is_unset(v.limit) || v.limit > 0 && Number.isFinite(v.limit)) && one_of("time", "playouts")(v.unit);

	const settings = recall("localStorage", {
		language: navigator.language.startsWith("ja") ? "ja" : "en", theme: "auto", letters: true, seed: 0,
		hints: false, analysis: false, analysis_search: null, shown: "chance", line: true, tree: false,
		players: {
			black: { yomi: false, level: 5, search: null, threads: null, limit: null, unit: "time" }, // null: the
			white: { yomi: true, level: 5, search: null, threads: null, limit: null, unit: "time" },  // program's default
		},
	}, {
		language: one_of(...Object.keys(YomiText)), theme: one_of("auto", "light", "dark"), letters: is_flag,
		seed: v => is_whole(v, 0, Number.MAX_SAFE_INTEGER), hints: is_flag, analysis: is_flag, analysis_search: is_text,
		shown: one_of("chance", "score", "visits", "none"), line: is_flag, tree: is_flag,
		players: v => COLOURS.every(colour => is_player(v?.[colour])),
	});

	// A line of moves with its scores.
	const new_line = () => ({
		start: null,     // position text, or null: the game's start position
		moves: [],       // { color, move }
		cursor: 0,       // number of moves that are played
		scores: [],      // [i]: score of the position after i moves: { value, score, proven, exact }
		resigned: null,  // the colour that resigned
	});
	const line_of = ({ game, rules, size, komi, start, moves, cursor, scores, resigned }) =>
		({ game, rules, size, komi, start, moves, cursor, scores, resigned });
	const is_score = v => v === null || v instanceof Object && [v.value, v.score].every(n => n === null || Number.isFinite(n));
	const is_size = v => Array.isArray(v) && v.length === 2 && v.every(n => is_whole(n, 1, 99));
	const is_line = v => v instanceof Object && is_text(v.game) && is_text(v.rules) && (is_unset(v.start) || is_text(v.start)) &&
		(is_unset(v.size ?? null) || is_size(v.size)) && (is_unset(v.komi ?? null) || Number.isFinite(v.komi)) &&
		Array.isArray(v.moves) && v.moves.every(m => one_of(...COLOURS)(m?.color) && is_text(m.move)) &&
		is_whole(v.cursor, 0, v.moves.length) && Array.isArray(v.scores) && v.scores.every(is_score) &&
		(is_unset(v.resigned) || one_of(...COLOURS)(v.resigned));

	const { line, left } = recall("sessionStorage", { line: null, left: [] },
		{ line: is_line, left: v => Array.isArray(v) && v.every(is_line) });
	const game = {
		game: null, // name; null: the program's default game
		rules: null,
		size: null, // [rows, columns]; null: the game's first size
		komi: null, // points, as the user has chosen; null: the engine's choice, or the game has none
		...new_line(),
		...line,
		left,       // replaced lines, the newest at the end
	};

	function keep() {
		store("localStorage", settings);
		store("sessionStorage", { line: line_of(game), left: game.left });
	}

	let games = [];         // all games: the answer of yomi-games
	let searches = [];
	let usual = {};         // option -> the program's initial value
	let positions = [];     // [i]: answer of yomi-position after i moves of the line
	let board = null;
	let pinned = null;      // { at, line }: the line to show instead of the best one
	let report = null;      // last report of the running or last search; `at`: number of moves before it
	let course = [];        // proof and disproof numbers of its reports
	let review = false;     // true while all moves are evaluated

	const link = new YomiLink();

	// --- words and numbers ---

	let t = YomiText.en;
	const colour_name = colour => board?.layout.pen ? { black: "X", white: "O" }[colour] : t[colour];
	const words = () => ({ ...t, black: colour_name("black"), white: colour_name("white") });
	const other = colour => colour === "black" ? "white" : "black";
	const move_name = move => ({ PASS: t.pass, [SWAP]: t.swap }[move] ?? move);
	const sign = { black: 1, white: -1 };
	const error_text = message => {
		const [pattern, text] = t.errors.find(([pattern]) => pattern.test(message)) ?? [];
		return pattern ? message.match(pattern)[0].replace(pattern, text) : t.other_error(message);
	};

	const short = n => {
		for (const [size, unit] of [[1e9, "G"], [1e6, "M"], [1e3, "k"]])
			if (n >= size)
				return (n / size >= 100 ? Math.round(n / size) : (n / size).toFixed(1)) + unit;
		return String(Math.round(n));
	};
	const percent = (value, colour) => Math.round(50 * (1 + sign[colour] * value));
	const outcome = (value, colour) => value === 0 ? "draw" : value * sign[colour] > 0 ? "win" : "loss";
	const signed = score => {
		const text = Math.abs(score).toFixed(Number.isInteger(score) ? 0 : 1);
		return (Number(text) === 0 ? "±" : score > 0 ? "+" : "−") + text;
	};

	// True if a proven score is worth telling: the game counts points, and one side is ahead.
	const has_points = ({ score }) => Boolean(positions[game.cursor]?.unit) && score !== 0;

	// A score as a short text, from the view of `colour`.
	function score_text(score, colour) {
		if (!score)
			return "";
		if (score.proven)
			return score.exact && has_points(score) ? signed(sign[colour] * score.score) : t[outcome(score.value, colour)];
		if (score.value === null || (settings.shown === "score" && score.score !== null))
			return signed(sign[colour] * score.score);
		return `${percent(score.value, colour)}%`;
	}

	const unit = () => t.units[positions[game.cursor]?.unit] ?? positions[game.cursor]?.unit ?? "";

	// True if such a text is a number of points.
	const is_lead = text => /^[+−±]/.test(text);

	// The score of a report or of one of its moves; null if there is none.
	function score_of({ value, score, lower, upper, exact }) {
		const proven = lower === upper;
		return value === null && score === null && !proven ? null : { value: proven ? lower : value, score, proven, exact };
	}

	// The height of a score in charts, -1 .. 1. Points without a win rate approach the ends asymptotically.
	const height = score => score ? score.value ?? score.score / (Math.abs(score.score) + 8) : undefined;

	// --- the engine's state ---

	let told = null;  // the state sent so far: { game, rules, size, komi, start, moves }; null: none
	let options = {}; // option -> the value last sent

	const send = (command, report) => link.send(command, report);
	const ask = async command => JSON.parse(await send(command));

	const title_of = name => t.games[name] ?? games.find(g => g.game === name)?.title ?? name;
	const sizes_of = ({ game: name }) => games.find(g => g.game === name)?.sizes ?? [[0, 0]];
	const size_of = it => it.size ?? sizes_of(it)[0];

	async function tell() {
		const commands = [], want = game.moves.slice(0, game.cursor);
		let have = told?.moves ?? [];
		const [rows, cols] = size_of(game), size = `${cols} ${rows}`;
		if (!told || told.game !== game.game || told.rules !== game.rules || told.size !== size || told.start !== game.start ||
			(want.length === 0 && have.length > 0)) {
			commands.push(`set_game ${game.game}`, `param rules ${game.rules}`);
			if (sizes_of(game).length > 1)
				commands.push(`boardsize ${size}`);
			commands.push("clear_board");
			if (game.start)
				commands.push(`position ${game.start}`);
			have = [];
			told = { komi: null };
		}
		if (game.komi !== null && told.komi !== game.komi)
			commands.push(`komi ${game.komi}`);
		let same = 0;
		while (same < Math.min(have.length, want.length) && have[same].move === want[same].move)
			same++;
		for (let i = same; i < have.length; i++)
			commands.push("undo");
		for (const { color, move } of want.slice(same))
			commands.push(`play ${color} ${move}`);
		told = { game: game.game, rules: game.rules, size, komi: game.komi, start: game.start, moves: want };
		await Promise.all(commands.map(command => send(command)));
	}

	async function set_options(wanted) {
		const commands = [];
		for (const [name, value] of Object.entries(wanted))
			if (options[name] !== String(value)) {
				options[name] = String(value);
				commands.push(`param ${name} ${value}`);
			}
		await Promise.all(commands.map(command => send(command)));
	}

	const known_search = name => searches.includes(name) ? name : usual.search;

	function options_of({ search, threads, level, limit, unit }) {
		return { search: known_search(search), threads: threads ?? usual.threads, level, seed: settings.seed,
			time: unit === "time" ? limit ?? usual.time : 1e6, playouts: unit === "playouts" ? Math.ceil(limit) : 0 };
	}

	// Asks the engine for its games, searches and initial options.
	async function learn() {
		games = await ask("yomi-games");
		for (const line of (await send("param")).split("\n")) {
			const [, type, name, value] = /^\[(.*)\] (\S+) (.*)$/.exec(line) ?? [];
			usual[name] = value;
			if (name === "search")
				searches = type.split("/").slice(1);
		}
		if (!game.game) {
			const position = await ask("yomi-position");
			Object.assign(game, { game: position.game, rules: position.rules });
		}
		speak(settings.language);
	}

	// --- changes, one after the other ---

	let chain = Promise.resolve();
	let search = null; // the running search: { kind, dropped, done }
	let asked = false; // true: the engine makes the next move, even for a person's side

	// After a lost connection the whole state is sent again. If the engine refuses a command, the page shows the reason
	// and takes over the engine's record.
	async function on_trouble(error) {
		if (error instanceof YomiLink.Lost)
			return;
		if (!(error instanceof YomiLink.Refused)) {
			console.error(error);
			return;
		}
		try {
			const { moves, game: name, rules, rows, cols, komi } = await ask("yomi-position");
			const start = game.start && (await ask("yomi-position 0")).position;
			told = { game: name, rules, size: `${cols} ${rows}`, komi, start, moves };
			Object.assign(game, { game: name, rules, size: [rows, cols], komi, start, moves, cursor: moves.length });
			positions = [];
			await settle();
			say(error_text(error.message));
		} catch {
			told = null;
		}
	}

	// Ends the running search, applies a change, and starts the next search.
	function act(change, { reviewing = false } = {}) {
		if (review && !reviewing)
			stop_review();
		stop_search();
		chain = chain.then(() => search?.done).then(change).then(settle).catch(on_trouble);
		return chain;
	}

	function stop_search() {
		if (!search || search.dropped)
			return;
		search.dropped = true;
		link.interrupt();
	}

	async function settle() {
		if (!link.open)
			return;
		await tell();
		const at = game.cursor;
		const position = positions[at] = await ask("yomi-position");
		if (at > 0 && !positions[at - 1])
			positions[at - 1] = await ask(`yomi-position ${at - 1}`);
		if (position.over)
			game.scores[at] = { value: Math.sign(position.score), score: position.score, proven: true, exact: true };
		pinned = null;
		keep();
		make_board();
		show_all();
		set_ready(true);
		next_search();
		if (document.hidden && search?.kind !== "move")
			link.sleep();
	}

	function next_search() {
		const position = positions[game.cursor], player = settings.players[position.to_move];
		const moves = asked || (!review && game.cursor === game.moves.length && player.yomi);
		asked = false;
		if (position.over || game.resigned)
			next_review();
		else if (moves)
			start_search("move", player);
		else if (settings.analysis || review)
			start_search("analysis", { ...player, search: settings.analysis_search, level: 0, threads: null });
	}

	function start_search(kind, player) {
		const at = game.cursor, colour = positions[at].to_move;
		const own = search = { kind, colour, at, dropped: false };
		course = [];
		report = null;
		own.done = (async () => {
			await set_options(options_of(player));
			if (own.dropped)
				return;
			const amount = positions[at].squares.length > SMALL_BOARD ? `${REPORTS} ${MARKS}` : REPORTS;
			const answer = await send(kind === "move" ? `yomi-genmove ${colour} ${amount}` : `yomi-analyze ${amount}`,
				it => !own.dropped && on_report(own, it));
			if (kind === "move") {
				const last = JSON.parse(answer), made = { color: colour, move: last.played };
				if (made.move !== "resign")
					told.moves = [...told.moves, made];
				if (!document.hidden)
					await board.rest(); // let the animation of the previous move end
				if (own.dropped)
					return;
				on_report(own, last);
				if (made.move === "resign")
					game.resigned = colour;
				else
					add_move(made);
			}
		})().then(() => {
			search = null;
			if (own.dropped)
				return; // the action that dropped it goes on
			if (kind === "move")
				act(() => {});
			else
				next_review(); // the search found everything
		}, error => {
			search = null;
			act(() => Promise.reject(error));
		});
		show_state();
	}

	function on_report(own, it) {
		report = { ...it, at: own.at };
		if (it.proof !== null || it.disproof !== null)
			course = [...course.slice(-119), [it.proof, it.disproof]];
		const score = score_of(it);
		if (score)
			game.scores[own.at] = score;
		const best = own.kind === "move" && it.moves.find(m => m.move === it.played);
		if (best && score_of(best))
			game.scores[own.at + 1] = score_of(best);
		if (it.seconds >= (score ? REVIEW_SECONDS : REVIEW_PATIENCE) || score?.proven)
			next_review();
		draw_report();
	}

	// Draws the latest report in the next frame. On a slow machine a frame may take longer than the time between two
	// reports. So the page then rests in proportion to the duration of the frame, and answers input meanwhile.
	let drawing = false;
	function draw_report() {
		if (drawing)
			return;
		drawing = true;
		requestAnimationFrame(() => {
			const drawn = report, begun = performance.now();
			show_report();
			setTimeout(() => setTimeout(() => {
				drawing = false;
				if (report !== drawn)
					draw_report();
			}, REST * (performance.now() - begun)));
		});
	}

	// --- actions on the game ---

	// The current line, with the komi that it has been played with.
	const line_left = () => ({ ...line_of(game), komi: game.komi ?? positions[game.cursor]?.komi ?? null });

	// Keeps the current line before another one replaces it.
	function leave_line() {
		if (game.moves.length || game.start)
			game.left = [...game.left, line_left()].slice(-LINES_KEPT);
	}

	// Exchanges the current line with the newest replaced one. The current line becomes the oldest, so that repeating
	// this reaches every line.
	function restore() {
		act(() => {
			const last = game.left.pop();
			if (!last)
				return;
			if (game.moves.length || game.start)
				game.left.unshift(line_left());
			Object.assign(game, { size: null, komi: null }, last);
			forget();
		});
	}

	function add_move(made) {
		const redone = game.moves[game.cursor]?.move === made.move;
		if (!redone) {
			if (game.cursor < game.moves.length)
				leave_line();
			game.moves = [...game.moves.slice(0, game.cursor), made];
			positions = positions.slice(0, game.cursor + 1);
			// The engine's report on its own move is also the first score of the next position.
			game.scores = game.scores.slice(0, game.cursor + (report?.played === made.move ? 2 : 1));
		}
		game.cursor++;
		game.resigned = null;
	}

	function play(move) {
		act(() => {
			// An earlier change may have made the move illegal.
			const { legal, to_move } = positions[game.cursor];
			report = null;
			if (legal.includes(move))
				add_move({ color: to_move, move });
		});
	}

	// Goes to the position after `ply` moves. `ply` may be a function; it is called when the change runs.
	function go_to(ply, how) {
		act(() => {
			game.cursor = Math.min(Math.max(typeof ply === "function" ? ply() : ply, 0), game.moves.length);
			game.resigned = null;
			report = null;
		}, how);
	}

	function new_game(change = {}) {
		return act(() => {
			leave_line();
			clear_game(change);
		});
	}

	function clear_game(change) {
		Object.assign(game, new_line(), change);
		forget();
	}

	function forget() {
		positions = [];
		report = null;
	}

	// Goes back to the last position where a person was to move.
	function take_back() {
		const people = COLOURS.filter(colour => !settings.players[colour].yomi);
		go_to(() => {
			let ply = game.cursor - 1;
			while (ply > 0 && people.length === 1 && game.moves[ply].color !== people[0])
				ply--;
			return ply;
		});
	}

	function resign() {
		const colour = positions[game.cursor].to_move;
		const loser = settings.players[colour].yomi && !settings.players[other(colour)].yomi ? other(colour) : colour;
		act(() => { game.resigned = loser; });
	}

	// The engine moves once for the side to move; if it is already thinking, its search ends now.
	function go() {
		if (search?.kind === "move")
			return link.interrupt();
		act(() => { asked = true; });
	}

	function start_review() {
		go_to(() => {
			review = true;
			return 0;
		}, { reviewing: true });
	}

	function next_review() {
		if (!review || search?.dropped)
			return;
		if (game.cursor < game.moves.length)
			return go_to(game.cursor + 1, { reviewing: true });
		stop_review();
		stop_search();
	}

	function stop_review() {
		review = false;
		show_state();
	}

	// Lets the engine read another game or position. If it refuses, throws the error and changes nothing.
	async function replace(read) {
		let refusal = null;
		await act(async () => {
			told = null;
			try {
				await read();
			} catch (error) {
				if (!(error instanceof YomiLink.Refused))
					throw error;
				refusal = error;
			}
		});
		if (refusal)
			throw refusal;
	}

	function load_sgf(text) {
		return replace(async () => {
			await send(`yomi-loadsgf ${encodeURIComponent(text)}`);
			const loaded = await ask("yomi-position"), { position } = await ask("yomi-position 0");
			leave_line();
			clear_game({ game: loaded.game, rules: loaded.rules, size: [loaded.rows, loaded.cols], komi: loaded.komi });
			await tell();
			const start = (await ask("yomi-position")).position === position ? null : position;
			clear_game({ start, moves: loaded.moves, cursor: loaded.moves.length });
			for (const colour of COLOURS)
				settings.players[colour].yomi = false; // a loaded game is for viewing
			make_players();
		});
	}

	// The text may have one row per line.
	function set_position(text) {
		const words = text.trim().split(/\s+/), side = words.pop(), start = `${words.join("")} ${side}`;
		return replace(async () => {
			await send(`position ${start}`);
			leave_line();
			clear_game({ start });
		});
	}

	// --- display: the board ---

	function make_board() {
		const position = positions[game.cursor], key = JSON.stringify([position.game, position.board]);
		$("game").value = `${game.game} ${game.rules}`;
		fill_sizes();
		$("komi-label").hidden = position.komi === null;
		$("komi").value = position.komi;
		if (board?.key === key)
			return;
		board = new YomiBoard($("board"), position.board, words());
		board.key = key;
		board.say(words());
		$("stage").dataset.game = position.game;
		$("stage").toggleAttribute("data-pen", position.board.pen);
		name_players();
		board.onmove = play;
		board.onrefuse = square => {
			if (pinned && pinned.at !== game.cursor)
				pin(null);
			else if (search?.kind !== "move")
				say(t.not_legal(square));
		};
		board.onpending = clicks => {
			show_board();
			const squares = [...board.choices.keys()].some(click => board.indices.has(click));
			say(clicks.length === 0 ? "" : squares ? t.choose_square : t.choose_turn);
		};
		board.onaim = square => say(t.aim(square));
	}

	// Shows the current position, or the position of the pinned line, which may be an earlier one.
	function show_board() {
		const at = pinned?.at ?? game.cursor, position = positions[at], before = positions[at - 1];
		const busy = search?.kind === "move" || game.resigned || at !== game.cursor;
		const looking = settings.analysis && report?.at === at && at === game.cursor;
		board.show({
			squares: position.squares, side: position.side, last: position.last, over: position.over,
			runs: position.runs, legal: busy || position.over ? [] : position.legal, hints: settings.hints,
			before: before?.squares, move: game.moves[at - 1]?.move, clicks: clicks_at(at),
			marks: looking && settings.shown !== "none" ? marks_of(report, position) : [],
			line: pinned?.line ?? (looking && settings.line && report.line ? report.line : []),
		});
	}

	function pin(line) {
		pinned = line && { at: report.at, line };
		show_board();
		show_state();
		show_report();
	}

	// What is clicked for the moves that a board shows after `at` moves.
	const clicks_at = at => ({ ...positions[at - 1]?.clicks, ...report?.clicks, ...positions[at].clicks });

	// One mark for each next click, with the value of its best move.
	function marks_of(it, position) {
		const choices = new Map(), colour = position.to_move, begun = board.begun;
		if (!it.moves.length)
			return [];
		const next_of = move => {
			const clicks = position.clicks[move] ?? [];
			return begun.every((click, i) => click === clicks[i]) ? clicks[begun.length] : undefined;
		};
		for (const move of it.moves) {
			const click = next_of(move.move);
			if (click)
				choices.set(click, [...choices.get(click) ?? [], move]);
		}
		const counts = new Map();
		for (const click of position.legal.map(next_of))
			counts.set(click, (counts.get(click) ?? 0) + 1);
		const sums = [...choices].map(([click, moves]) => ({ click, moves, visits: moves.reduce((n, m) => n + m.visits, 0) }));
		const most = Math.max(1, ...sums.map(sum => sum.visits));
		const rank = move => ({ win: 3, draw: 1, loss: 0 })[proof_of(move, colour)] ?? 2;
		const best_of = moves => moves.reduce((a, b) => rank(b) > rank(a) ? b : a); // the engine lists its best move first
		const value_of = move => sign[colour] * height(score_of(move));
		const most_worth = value_of(best_of(it.moves));
		// 1: as good as the best move; 0: worse by MERIT_SPAN or more, or unknown.
		const heat = move => Math.min(Math.max(1 - (most_worth - value_of(move)) / MERIT_SPAN, 0), 1) || 0;
		const best_here = sums.length ? best_of(sums.flatMap(sum => sum.moves)) : null;
		const marks = sums.map(({ click, moves, visits }) => {
			const best = best_of(moves);
			// Without a win the click is proven only if all its moves are.
			const proof = moves.length === counts.get(click) || rank(best) === 3 ? proof_of(best, colour) : null;
			return { click, proof, visits, heat: heat(best), share: visits / most,
				best: moves.includes(begun.length ? best_here : it.moves[0]), text: mark_text(best, proof, visits, most, colour) };
		});
		return marks.filter(mark => mark.proof || mark.visits > Math.min(most / 300, TRIED / 3));
	}

	// With this many visits a move shows its number, however many the best move has.
	const TRIED = 1000;

	const proof_of = ({ lower, upper }, colour) => lower === upper ? outcome(lower, colour) : null;

	function mark_text(move, proof, visits, most, colour) {
		const count = short(visits);
		if (settings.shown === "visits")
			return proof ? `${t[proof]}\n${count}` : count;
		if (proof)
			return move.exact && has_points(move) ? `${t[proof]}\n${signed(sign[colour] * move.score)}` : t[proof];
		const score = score_of(move);
		if (visits < Math.min(most / 100, TRIED) || !score)
			return "";
		const value = score_text(score, colour).replace("%", "");
		return visits ? `${value}\n${count}` : value;
	}

	// --- display: around the board ---

	function show_all() {
		show_board();
		show_state();
		show_moves();
		show_report();
	}

	// What a move did to the other side's stones: { turned, captured }. Only stones that were turned become the mover's.
	function taken_by(ply) {
		const before = positions[ply - 1]?.squares, after = positions[ply]?.squares;
		const [own, others] = game.moves[ply - 1].color === "black" ? ["X", "O"] : ["O", "X"];
		const more = (from, to, stone) => to.split(stone).length - from.split(stone).length;
		const lost = before && after ? more(after, before, others) : 0;
		return lost <= 0 ? {} : more(before, after, own) > lost ? { turned: lost } : { captured: lost };
	}

	function result(position) {
		if (game.resigned)
			return t.resigned(colour_name(game.resigned), colour_name(other(game.resigned)));
		if (position.winner === "draw")
			return t.drawn;
		return t.won(colour_name(position.winner), position.unit && Math.abs(position.score), unit());
	}

	let notice = ""; // message shown once instead of the state

	function say(text) {
		notice = text;
		show_state();
	}

	function show_state() {
		const position = positions[game.cursor];
		if (!position)
			return;
		const left = game.left.at(-1);
		$("restore").hidden = !left;
		$("restores").textContent = left ? t.restores(title_of(left.game), left.moves.length) : "";
		const words = [], last = game.moves[game.cursor - 1], mover = colour_name(position.to_move);
		const moving = search?.kind === "move", ended = position.over || game.resigned;
		if (pinned && pinned.at !== game.cursor) {
			$("status").textContent = t.line_before(pinned.at + 1);
			return;
		}
		if (last && !notice) {
			const { turned, captured } = taken_by(game.cursor);
			const told = { PASS: t.passed, [SWAP]: t.swapped }[last.move] ?? t.played;
			words.push(told(colour_name(last.color), last.move));
			if (turned)
				words.push(t.turned(turned));
			if (captured && last.move !== SWAP)
				words.push(t.captured(captured));
		}
		words.push(notice || (ended ? result(position) : moving ? t.thinking(colour_name(search.colour)) :
			position.pass ? t.must_pass(mover) : position.legal.includes(SWAP) ? t.may_swap(mover, colour_name(other(position.to_move))) : t.to_move(mover)));
		notice = "";
		if (game.cursor < game.moves.length)
			words.push(`(${t.looking_back(game.cursor, game.moves.length)})`);
		const text = words.join(" ");
		set_text($("status"), text);

		for (const colour of COLOURS) {
			const card = $(`player-${colour}`), stone = colour === "black" ? "X" : "O";
			card.classList.toggle("turn", !ended && position.to_move === colour);
			card.classList.toggle("winner", Boolean(ended) && (game.resigned ? game.resigned !== colour : position.winner === colour));
			card.classList.toggle("busy", moving && search.colour === colour);
			card.querySelector(".count").textContent = position.unit === "discs" ? position.squares.split(stone).length - 1 : "";
		}
		const at = game.cursor;
		const set = (id, on) => { $(id).disabled = !on; };
		set("first", at > 0);
		set("back", at > 0);
		set("on", at < game.moves.length);
		set("end", at < game.moves.length);
		set("take", at > 0);
		set("resign", !ended);
		set("go", !ended);
		set("review", game.moves.length > 0);
		$("pass").hidden = !position.legal.includes("PASS") || ended || moving;
		$("swap").hidden = !position.legal.includes(SWAP) || ended || moving;
		$("go").lastElementChild.textContent = moving ? t.now : t.go;
		$("review").textContent = review ? t.reviewing : t.review;
		$("hints").setAttribute("aria-pressed", String(settings.hints));
		$("analyse").setAttribute("aria-pressed", String(settings.analysis));
	}

	function show_moves() {
		const list = $("moves"), rows = [];
		let row = null;
		game.moves.forEach(({ color, move }, i) => {
			if (!row || color === "black" || row[color]) {
				row = {};
				rows.push(row);
			}
			row[color] = { move, ply: i + 1 };
		});
		const was_here = list.contains(document.activeElement);
		list.replaceChildren(...rows.map((row, n) => element("li", {}, element("span", { textContent: n + 1 }),
			...COLOURS.map(colour => row[colour] ? move_button(colour, row[colour]) : element("span")))));
		const current = list.querySelector("[aria-current]");
		list.scrollTop = current ? current.offsetTop - list.offsetTop - list.clientHeight / 2 : 0;
		if (was_here)
			current?.focus({ preventScroll: true });
		show_scores();
	}

	function move_button(colour, { move, ply }) {
		const button = element("button", { className: colour, onclick: () => go_to(ply) }, move_name(move), element("small"));
		button.dataset.ply = ply;
		if (ply === game.cursor)
			button.setAttribute("aria-current", "true");
		return button;
	}

	function show_scores() {
		for (const button of $("moves").querySelectorAll("button"))
			set_text(button.lastChild, score_text(game.scores[button.dataset.ply], button.className));
		const values = Array.from({ length: game.moves.length + 1 }, (_, i) => height(game.scores[i]));
		YomiCharts.graph($("graph"), { values, at: game.cursor, pick: go_to, label: t.graph(colour_name("black")), top: colour_name("black"), low: colour_name("white") });
		$("graph").classList.toggle("none", values.every(v => v === undefined));
		$("graph").dataset.none = t.graph_none;

		// The bar shows both shares, with the number of the side that is ahead.
		const score = game.scores[game.cursor], chance = score ? percent(height(score), "black") : 50;
		const balance = $("balance"), ahead = chance < 50 ? "white" : "black";
		balance.classList.toggle("unknown", !score);
		balance.style.setProperty("--black", `${chance}%`);
		balance.setAttribute("aria-label",
			score ? (is_lead(score_text(score, "black")) ? t.lead : t.balance)(colour_name("black"), score_text(score, "black"), unit()) :
				t.no_balance);
		set_text(balance.lastChild, score_text(score, ahead));
		balance.lastChild.className = ahead;
	}

	function show_report() {
		const it = report;
		$("analysis-body").hidden = !it;
		$("analysis-empty").hidden = Boolean(it);
		if (!it || !positions[game.cursor])
			return;
		show_scores();
		if (it.at === game.cursor)
			show_board();
		const colour = it.side;
		$("report-of").hidden = it.at === game.cursor;
		set_text($("report-of"), t.report_of(it.at + 1, colour_name(colour)));
		set_text($("visits-of"), it.playouts ? t.visits : t.nodes);
		show_numbers(it);
		const counts = it.moves.some(move => is_lead(score_text(score_of(move), colour)));
		set_text($("chance-of"), counts ? t.lead_of(colour_name(colour), unit()) : t.chance_of(colour_name(colour)));
		show_candidates(it, colour);
		$("proof").hidden = course.length === 0;
		if (course.length)
			YomiCharts.course($("proof"), { show: short, series: [{ name: t.proof, values: course.map(c => c[0]) },
				{ name: t.disproof, values: course.map(c => c[1]) }] });
		$("tree-card").hidden = !settings.tree;
		if (settings.tree)
			YomiCharts.tree($("tree"), { side: colour, label: t.tree, show: short,
				moves: it.moves.map(move => ({ ...move, proof: proof_of(move, colour) })) });
	}

	function show_numbers(it) {
		const numbers = [
			[t.playouts, it.playouts ? short(it.playouts) : null],
			[t.rate, it.rate ? short(it.rate) : null],
			[t.nodes, it.nodes ? short(it.nodes) : null],
			[t.depth, it.depth || null],
			[t.time, `${it.seconds.toFixed(1)} s`],
			[t.memory, it.fill === null ? null : t.of_memory(Math.round(it.fill * it.memory), it.memory)],
		];
		const list = $("numbers"), known = numbers.filter(([, value]) => value !== null), names = known.map(([name]) => name);
		if ([...list.querySelectorAll("dt")].map(node => node.textContent).join() !== names.join())
			list.replaceChildren(...names.map(name => pair(name, "")));
		known.forEach(([, value], i) => set_text(list.children[i].lastChild, value));
	}

	const pair = (term, data) => element("div", {}, element("dt", {}, term), element("dd", {}, data));

	// Rows are reused, so that the focus stays on its button.
	function show_candidates(it, colour) {
		const body = $("candidates").tBodies[0], count = Math.min(it.moves.length, CANDIDATES);
		while (body.rows.length > count)
			body.lastChild.remove();
		while (body.rows.length < count)
			body.append(element("tr", {}, element("td", {}, element("button")), element("td", { className: "chance" }, element("i"), ""),
				element("td", { className: "count" }), element("td", { className: "line" })));
		[...body.rows].forEach((row, i) => {
			const move = it.moves[i], score = score_of(move), proof = proof_of(move, colour);
			const [button, chance, visits, line] = [row.cells[0].firstChild, ...[...row.cells].slice(1)];
			row.classList.toggle("best", i === 0);
			set_text(button, move_name(move.move));
			button.setAttribute("aria-pressed", String(pinned?.line[0] === move.move));
			chance.firstChild.style.setProperty("--part", `${score ? percent(height(score), colour) : 0}%`);
			set_text(chance.lastChild, score ? score_text(score, colour) : "–");
			chance.dataset.proof = proof ?? "";
			chance.title = proof ? t.proven(t[proof]) : "";
			set_text(visits, move.visits ? short(move.visits) : "–");
			set_text(line, move.line.slice(1, 6).join(" "));
		});
	}

	// --- display: players, words, dialogs ---

	function fill_select(select, choices, value) {
		select.replaceChildren(...choices.map(([name, text]) => new Option(text, name, false, name === value)));
	}

	function make_players() {
		for (const colour of COLOURS) {
			const player = settings.players[colour], card = $(`player-${colour}`);
			card.innerHTML = `
				<legend class="hidden"></legend>
				<span class="stone" aria-hidden="true"></span>
				<select class="who"></select>
				<details><summary><svg aria-hidden="true"><use href="#i-gear"/></svg></summary>
					<div class="popover">
						<label><span></span><select class="search"></select></label>
						<label><span></span><input class="threads" type="number" min="1"></label>
						<label><span></span><span class="pair"><input class="limit" type="number" min="0.01" step="any"><select class="unit"></select></span></label>
					</div></details>
				<span class="count"></span>`;
			const part = name => card.querySelector(name);
			part("summary").title = t.settings;
			[t.search, t.threads, t.budget].forEach((words, i) => {
				card.querySelectorAll("label > span:first-child")[i].textContent = words;
			});
			fill_select(part(".who"), [["person", t.person], ...[1, 2, 3, 4, 5, 6, 7, 8, 9, 0].map(n =>
				[String(n), `yomi ${t.level_name(n)}`])], player.yomi ? String(player.level) : "person");
			fill_select(part(".search"), searches.map(name => [name, name]), known_search(player.search));
			fill_select(part(".unit"), [["time", t.seconds], ["playouts", t.playouts_unit]], player.unit);
			part(".threads").max = usual.threads;
			part(".threads").value = player.threads ?? usual.threads;
			part(".limit").value = player.limit ?? usual.time;

			part(".who").addEventListener("change", event => {
				player.yomi = event.target.value !== "person";
				if (player.yomi)
					player.level = Number(event.target.value);
				act(() => {});
			});
			for (const name of ["search", "threads", "limit", "unit"])
				part(`.${name}`).addEventListener("change", event => {
					const { value, valueAsNumber } = event.target;
					if (event.target.checkValidity())
						act(() => { player[name] = event.target.type === "number" ? valueAsNumber : value; });
				});
		}
		name_players();
	}

	// The sides are Black and White, or X and O.
	function name_players() {
		for (const colour of COLOURS) {
			const part = name => $(`player-${colour}`).querySelector(name);
			part("legend").textContent = colour_name(colour);
			part(".who").setAttribute("aria-label", `${colour_name(colour)}: ${t.kind}`);
			part("summary").setAttribute("aria-label", `${colour_name(colour)}: ${t.settings}`);
		}
	}

	function speak(language) {
		settings.language = language;
		t = YomiText[language];
		document.documentElement.lang = language;
		for (const node of document.querySelectorAll("[data-t]"))
			node.textContent = t[node.dataset.t];
		for (const node of document.querySelectorAll("[data-t-name]")) {
			node.setAttribute("aria-label", t[node.dataset.tName]);
			node.title = t[node.dataset.tName];
		}
		$("stage").setAttribute("aria-label", t.board);
		fill_games();
		make_players();
		fill_select($("analysis-search"), searches.map(name => [name, name]), known_search(settings.analysis_search));
		board?.say(words());
		for (const node of document.querySelectorAll("[data-key]:not([data-t-name])"))
			node.title = node.dataset.key;
		if (positions[game.cursor])
			show_all();
		else
			$("status").textContent = t.connecting;
	}

	function fill_games() {
		const choices = games.flatMap(({ game, rules }) => rules.map(rule => [`${game} ${rule}`,
			title_of(game) + (rules.length > 1 && rule !== game ? ` – ${t.rules[rule] ?? rule}` : "")]));
		fill_select($("game"), choices, `${game.game} ${game.rules}`);
	}

	// Boards of different sizes are named by columns and rows, or by what players call them.
	function fill_sizes() {
		const sizes = sizes_of(game);
		$("size-label").hidden = sizes.length < 2;
		fill_select($("size"), [...sizes].sort(([a, b], [c, d]) => a * b - c * d).map(([rows, cols, base]) => [`${rows} ${cols}`, base ? t.base(base) : `${cols}×${rows}`]), size_of(game).slice(0, 2).join(" "));
	}

	function paint() {
		document.documentElement.dataset.theme = settings.theme;
	}

	function open_file() {
		$("sgf-error").textContent = $("position-error").textContent = $("sgf").value = "";
		$("file-dialog").showModal();
		$("position").value = spread(positions[game.cursor].position);
		act(async () => {
			await tell();
			const text = await send("printsgf");
			$("sgf").value ||= text; // keep text that was pasted meanwhile
		});
	}

	// Position text with one row per line.
	function spread(text) {
		const [squares, side] = text.split(" "), { cols } = positions[game.cursor];
		return squares.replace(new RegExp(`.{${cols}}`, "g"), "$&\n") + side;
	}

	// Shows an error beside the input that caused it.
	async function from_dialog(place, work) {
		$("sgf-error").textContent = $("position-error").textContent = "";
		try {
			await work();
			$("file-dialog").close();
		} catch (error) {
			$(place).textContent = error_text(error.message);
		}
	}

	// The rules in the page's language if text.js has them, else in the engine's words.
	function open_rules() {
		act(async () => {
			await tell();
			const text = t.guides[`${game.game} ${game.rules}`] ?? (await ask("yomi-rules")).guide;
			$("rules-title").textContent = $("game").selectedOptions[0].textContent;
			// Paragraphs flow; a block with an indented line is a diagram.
			$("rules-text").replaceChildren(...text.trimEnd().split(/\n\n+/).map(block =>
				element(/^ /m.test(block) ? "pre" : "p", { textContent: block })));
			$("rules-dialog").showModal();
		});
	}

	function open_settings() {
		const letters = board?.layout.turns.map(turn => turn.letter) ?? [];
		const keys = [[t.arrows, t.key_board], [t.enter, t.key_play], ["Escape", t.key_escape]];
		if (letters.length)
			keys.splice(2, 0, [letters.join(" "), t.key_turn]);
		for (const node of document.querySelectorAll("[data-key]"))
			keys.push([node.dataset.key, node.getAttribute("aria-label") ?? (node.tagName === "INPUT" ? node.parentNode : node).textContent.trim()]);
		$("keys").replaceChildren(...keys.map(([key, words]) => pair(element("kbd", {}, key), words)));
		$("settings-dialog").showModal();
	}

	// --- input ---

	const on = (id, work) => $(id).addEventListener("click", work);

	on("new", () => new_game());
	on("first", () => go_to(0));
	on("back", () => go_to(() => game.cursor - 1));
	on("on", () => go_to(() => game.cursor + 1));
	on("end", () => go_to(game.moves.length));
	on("take", take_back);
	on("pass", () => play("PASS"));
	on("swap", () => play(SWAP));
	on("resign", resign);
	on("go", go);
	on("review", () => review ? act(() => {}) : start_review());
	on("hints", () => {
		settings.hints = !settings.hints;
		keep();
		show_all();
	});
	on("analyse", () => {
		settings.analysis = !settings.analysis;
		if (search?.kind === "move")
			show_all(); // the search goes on
		else
			act(() => { report = null; });
	});
	on("open-file", open_file);
	on("open-settings", open_settings);
	on("open-rules", open_rules);
	on("restore", restore);
	on("load-sgf", () => from_dialog("sgf-error", () => load_sgf($("sgf").value)));
	on("set-position", () => from_dialog("position-error", () => set_position($("position").value)));
	on("copy-sgf", async () => {
		$("sgf").select();
		await navigator.clipboard.writeText($("sgf").value);
		$("copy-sgf").textContent = t.copied;
		setTimeout(() => { $("copy-sgf").textContent = t.copy; }, 1500);
	});
	on("save-sgf", () => {
		const a = document.createElement("a");
		a.href = URL.createObjectURL(new Blob([$("sgf").value], { type: "application/x-go-sgf" }));
		a.download = `yomi-${game.game}.sgf`;
		a.click();
		URL.revokeObjectURL(a.href);
	});
	$("sgf-file").addEventListener("change", async event => {
		$("sgf").value = await event.target.files[0].text();
		event.target.value = "";
		from_dialog("sgf-error", () => load_sgf($("sgf").value));
	});
	$("game").addEventListener("change", () => {
		const [name, rules] = $("game").value.split(" ");
		// With the focus on the list, arrow keys would choose another game.
		new_game({ game: name, rules, size: null }).then(() => board.focus());
	});
	$("size").addEventListener("change", () => {
		new_game({ size: $("size").value.split(" ").map(Number) }).then(() => board.focus());
	});
	$("komi").addEventListener("change", event => {
		const { valueAsNumber: komi } = event.target;
		if (event.target.checkValidity() && Number.isFinite(komi))
			act(() => {
				Object.assign(game, { komi, scores: [] });
				forget();
			});
	});

	const choose = (id, name) => $(id).addEventListener("change", event => {
		settings[name] = event.target.type === "checkbox" ? event.target.checked : event.target.value;
		pinned = null;
		keep();
		show_all();
	});
	choose("shown", "shown");
	choose("show-line", "line");
	choose("show-tree", "tree");
	choose("letters", "letters");
	$("language").addEventListener("change", event => {
		speak(event.target.value);
		keep();
	});
	$("theme").addEventListener("change", event => {
		settings.theme = event.target.value;
		paint();
		keep();
	});
	$("analysis-search").addEventListener("change", event => act(() => { settings.analysis_search = event.target.value; }));
	$("seed").addEventListener("change", event => {
		if (event.target.checkValidity())
			act(() => { settings.seed = event.target.valueAsNumber; });
	});

	// A click pins the line of a candidate; a second click releases it.
	$("candidates").tBodies[0].addEventListener("click", event => {
		const line = report.moves[event.target.closest("tr").sectionRowIndex]?.line;
		pin(line && pinned?.line[0] !== line[0] ? line : null);
	});

	document.addEventListener("keydown", event => {
		const { target, key } = event;
		if (event.ctrlKey || event.altKey || event.metaKey || document.querySelector("dialog[open]") ||
			target.matches("input:not([type=checkbox]), select, textarea"))
			return;
		if (key.startsWith("Arrow") && board) {
			board.focus();
			event.preventDefault();
			return;
		}
		if (key.length === 1 && !settings.letters)
			return;
		const node = [...document.querySelectorAll("[data-key]")].find(n => n.dataset.key === key);
		if (node && !node.disabled && !node.closest("[hidden], [inert]")) {
			node.click();
			event.preventDefault();
		}
	});
	// A click outside, or Escape, closes open pop-ups.
	function close_popovers(but) {
		for (const details of document.querySelectorAll("details[open]"))
			if (!details.contains(but)) {
				details.open = false;
				if (!but)
					details.firstElementChild.focus();
			}
	}
	document.addEventListener("click", event => close_popovers(event.target));
	document.addEventListener("keydown", event => event.key === "Escape" && close_popovers(null));

	// --- the connection ---

	// Enables or disables the controls that need the engine.
	function set_ready(is_ready) {
		document.querySelector("main").inert = !is_ready;
		for (const id of ["game", "new", "open-rules", "open-file"])
			$(id).disabled = !is_ready;
	}

	function show_trouble(text) {
		$("offline").textContent = text;
		$("offline").hidden = !text;
	}

	link.onopen = () => {
		show_trouble("");
		told = null;
		options = {};
		act(async () => {
			if (!games.length)
				await learn();
		});
	};
	link.onlost = reason => {
		set_ready(false);
		show_trouble(reason ? t.refused(error_text(reason)) : t.lost);
	};
	link.onsilence = is_silent => show_trouble(is_silent ? t.silent : "");
	document.addEventListener("visibilitychange", () => {
		if (!document.hidden)
			link.wake();
		else if (search?.kind !== "move")
			link.sleep();
	});
	addEventListener("pagehide", () => link.end());
	addEventListener("pageshow", event => event.persisted && link.wake());

	$("shown").value = settings.shown;
	$("show-line").checked = settings.line;
	$("show-tree").checked = settings.tree;
	$("letters").checked = settings.letters;
	$("seed").value = settings.seed;
	$("language").value = settings.language;
	$("theme").value = settings.theme;
	paint();
	set_ready(false);
	speak(settings.language);
	link.connect();
})();
