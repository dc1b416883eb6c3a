// SPDX-License-Identifier: MIT
//
// The document: elements by id, new elements.

// Any element: its properties depend on its id.
export const $ = id => /** @type {any} */ (document.getElementById(id));

export const all = selector => /** @type {any[]} */ ([...document.querySelectorAll(selector)]);

// A text that is set anew costs layout and paint, even if it is the same.
export const set_text = (node, text) => {
	if (node.textContent !== String(text))
		node.textContent = text;
};

export const element = (name, properties, ...children) => {
	const node = /** @type {any} */ (Object.assign(document.createElement(name), properties));
	node.append(...children);
	return node;
};

export const fill_select = (select, choices, value) =>
	select.replaceChildren(...choices.map(([name, text]) => new Option(text, name, false, name === value)));

export const pair = (term, data) => element("div", {}, element("dt", {}, term), element("dd", {}, data));
