// SPDX-License-Identifier: MIT
//
// The tree of a game. A node is the position after a move; its children are the moves that were played from there, the main
// line first. A move is added, never replaced. The current line goes through the current node and on along the children
// that were followed last.
//
// A stored tree is a list of nodes in which parents come first: [index of the parent, "b" or "w", move, more]. `more` has
// the members of KEPT that the node has.
const KEPT = ["score", "best", "comment", "sgf", "result", "lost", "reason", "verdict"];
const COLOURS = { b: "black", w: "white" };

export class Node {
	static made = 0;

	children = [];
	next = null;     // the child that was followed last
	score = null;    // Black's score of the position: { value, score, proven, exact }
	best = null;     // what a search found here: { move, line }
	comment = "";
	sgf = "";        // the move as a property of SGF; "" unknown
	result = "";     // RE of SGF, if the game ended here
	lost = null;     // the colour that gave up here, or whose time was up
	reason = null;   // "resign" or "time"
	verdict = null;  // in a puzzle: "right" or "wrong"
	position = null; // the answer of yomi-position; not stored
	books = null;    // the answer of yomi-explore; not stored
	report = null;   // the last report of a search here; not stored
	hint = null;     // { lesson, told }: the answer of yomi-explain about the best move here, the steps shown; not stored
	lesson = null;   // the answer of yomi-explain about the move; not stored
	reasons = null;  // { move, facts }: the answer of yomi-facts about the best move here; not stored

	constructor(parent = null, color = null, move = null) {
		this.id = ++Node.made;
		this.ply = parent ? parent.ply + 1 : 0;
		this.parent = parent;
		this.color = color;
		this.move = move;
	}

	// Returns the node after a move; creates it if the move is new.
	add(color, move) {
		let child = this.children.find(it => it.move === move && it.color === color);
		if (!child)
			this.children.push(child = new Node(this, color, move));
		return child;
	}

	// Removes a child that turned out to be illegal.
	drop(child) {
		this.children = this.children.filter(it => it !== child);
		if (this.next === child)
			this.next = null;
	}

	// Makes the current line lead here.
	follow() {
		for (let node = this; node.parent; node = node.parent)
			node.parent.next = node;
		return this;
	}

	get following() {
		return this.next ?? this.children[0] ?? null;
	}

	// The nodes from the root to this one.
	path() {
		const nodes = [];
		for (/** @type {Node} */ let node = this; node; node = node.parent)
			nodes.unshift(node);
		return nodes;
	}

	// The nodes of the current line, if this is the current node.
	line() {
		const nodes = this.path();
		for (let node = this.following; node; node = node.following)
			nodes.push(node);
		return nodes;
	}

	siblings() {
		return this.parent?.children ?? [this];
	}

	// This node and all below it, parents first and children in order.
	all() {
		const nodes = [], open = [this];
		while (open.length) {
			const node = open.pop();
			nodes.push(node);
			open.push(...[...node.children].reverse());
		}
		return nodes;
	}

	// The node at the end of the main line.
	main_end() {
		let node = this;
		while (node.children.length)
			[node] = node.children;
		return node;
	}

	get is_main() {
		return this.path().every(node => !node.parent || node.parent.children[0] === node);
	}

	// Makes the line that leads here the main line.
	promote() {
		for (let node = this; node.parent; node = node.parent)
			node.parent.children = [node, ...node.parent.children.filter(it => it !== node)];
	}

	// The next node where a line branches off: another move instead of this one, or of the nearest one that has others.
	// `step` is 1 or -1. Returns null if nothing branches off the current line.
	branch(step) {
		let node = this;
		while (node.parent && node.siblings().length < 2)
			node = node.parent;
		if (!node.parent)
			node = this.line().find(it => it.siblings().length > 1);
		if (!node)
			return null;
		const all = node.siblings(), at = all.indexOf(node);
		return all[(at + step + all.length) % all.length];
	}
}

// Adds the moves that another tree of the same game has.
export function merge(root, other) {
	const open = [[root, other]];
	while (open.length) {
		const [node, it] = open.pop();
		for (const child of it.children)
			open.push([node.add(child.color, child.move), child]);
		for (const name of KEPT)
			node[name] ||= it[name];
	}
}

export function pack(root) {
	const nodes = root.all(), index = new Map(nodes.map((node, i) => [node, i]));
	return nodes.map(node => {
		const more = {};
		for (const name of KEPT)
			if (node[name])
				more[name] = node[name];
		if (node.next && node.next !== node.children[0])
			more.next = node.children.indexOf(node.next);
		const main = node.parent ? [index.get(node.parent), node.color[0], node.move] : [-1, "b", ""];
		return Object.keys(more).length ? [...main, more] : main;
	});
}

const is_number = v => v === null || Number.isFinite(v);
const is_text = v => typeof v === "string";
const is_score = v => v instanceof Object && is_number(v.value) && is_number(v.score);
const is_best = v => v instanceof Object && is_text(v.move) && Array.isArray(v.line) && v.line.every(is_text);
const CHECKS = { score: is_score, best: is_best, comment: is_text, sgf: is_text, result: is_text,
	lost: v => v === "black" || v === "white", reason: v => v === "resign" || v === "time", verdict: v => v === "right" || v === "wrong" };

// Returns the nodes of a stored tree in its order, the root first; null if it is damaged.
export function unpack(list) {
	if (!Array.isArray(list) || !list.length)
		return null;
	const nodes = [], follow = [];
	for (const item of list) {
		if (!Array.isArray(item))
			return null;
		const [parent, color, move, more = {}] = item, is_root = !nodes.length;
		if (!(color in COLOURS) || !is_text(move) || !(more instanceof Object) || (is_root ? parent !== -1 : !nodes[parent]))
			return null;
		const node = is_root ? new Node() : nodes[parent].add(COLOURS[color], move);
		for (const name of KEPT)
			if (name in more) {
				if (!CHECKS[name](more[name]))
					return null;
				node[name] = more[name];
			}
		nodes.push(node);
		if (Number.isInteger(more.next))
			follow.push([node, more.next]);
	}
	for (const [node, next] of follow)
		node.next = node.children[next] ?? null;
	return nodes;
}
