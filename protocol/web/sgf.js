// SPDX-License-Identifier: MIT
//
// SGF as a tree of properties. It knows no game: yomi turns moves into properties and back (records.js).
//
// A node is { props, children }; `props` has the values of each property as they are in the file, with their escapes.

// Reads the first game of a collection. Returns its root, or null if the text is not SGF.
export function parse_sgf(text) {
	let i = text.indexOf("(");
	const open = []; // the nodes at which the variations that are being read begin
	let node = null, root = null;
	const space = () => {
		while (/\s/.test(text[i] ?? ""))
			i++;
	};
	if (i < 0)
		return null;
	for (; i < text.length; ) {
		space();
		const c = text[i++];
		if (c === "(") {
			open.push(node);
		} else if (c === ")") {
			node = open.pop();
			if (!open.length)
				return root;
		} else if (c === ";") {
			const child = { props: {}, children: [] };
			if (!open.length || (!node && root))
				return null;
			node?.children.push(child);
			root ??= child;
			node = child;
		} else if (/[A-Za-z]/.test(c ?? "") && node) {
			const [name] = /^[A-Za-z]+/.exec(text.slice(i - 1, i + 63)), values = [];
			for (i += name.length - 1, space(); text[i] === "["; space()) {
				const from = ++i;
				while (i < text.length && text[i] !== "]")
					i += text[i] === "\\" ? 2 : 1;
				if (i >= text.length)
					return null;
				values.push(text.slice(from, i++));
			}
			if (!values.length)
				return null;
			const key = name.replace(/[a-z]/g, "");
			node.props[key] = [...node.props[key] ?? [], ...values];
		} else {
			return null;
		}
	}
	return null;
}

export const unescape_sgf = text => text.replace(/\\\r?\n/g, "").replace(/\\([\s\S])/g, "$1").replace(/\r\n?/g, "\n");
export const escape_sgf = text => text.replace(/[\\\]:]/g, "\\$&");

// The properties as text, without the node's semicolon.
export const print_props = props => Object.entries(props).map(([name, values]) => name + values.map(value => `[${value}]`).join("")).join("");

// The number of lines from the root to an end.
export function count_lines(root) {
	const open = [root];
	let count = 0;
	while (open.length) {
		const { children } = open.pop();
		count += children.length ? 0 : 1;
		open.push(...children);
	}
	return count;
}

// The nodes from the root to each end, the main line first; at most `most` lines.
export function sgf_lines(root, most) {
	const lines = [], open = [[root, []]];
	while (open.length && lines.length < most) {
		const [node, before] = open.pop(), path = { node, before };
		if (!node.children.length)
			lines.push(path);
		for (const child of [...node.children].reverse())
			open.push([child, path]);
	}
	return lines.map(path => {
		const nodes = [];
		for (let at = path; at.node; at = at.before)
			nodes.unshift(at.node);
		return nodes;
	});
}
