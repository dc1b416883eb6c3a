// SPDX-License-Identifier: MIT
//
// Rules for the scripts of the pages and of their checks.
"use strict";

const js = require("@eslint/js");

const readonly = names => Object.fromEntries(names.map(name => [name, "readonly"]));
const page = readonly(["AudioContext", "Blob", "CSSTransition", "DOMException", "Element", "Event", "EventSource", "Intl", "MutationObserver", "Node", "Option", "OscillatorNode",
	"URL", "TextDecoder", "URLSearchParams", "addEventListener", "clearTimeout", "console", "document", "fetch", "getComputedStyle", "history", "innerHeight",
	"innerWidth", "localStorage", "location", "matchMedia", "navigator", "performance", "atob", "clearInterval", "DecompressionStream", "ResizeObserver", "Response", "Worker", "XMLSerializer", "requestAnimationFrame", "scrollTo", "sessionStorage",
	"setInterval", "setTimeout", "window"]);
const worker = readonly(["FILES", "Request", "Response", "SHELL", "Uint8Array", "URL", "XMLHttpRequest", "addEventListener", "caches", "clearInterval", "fetch", "importScripts", "location", "navigator", "postMessage",
	"self", "setInterval", "setTimeout", "VERSION", "clearTimeout", "yomi"]);
const node = readonly(["Buffer", "URL", "__dirname", "clearTimeout", "console", "module", "process", "require", "setTimeout"]);
const made = readonly(["YomiBoard", "YomiGround"]);
// Variables that checks put into pages.
const seen = { ...readonly(["caches", "axe", "board", "counts", "frames_held", "pass", "played", "reports", "said"]), sounds: "writable" };

const rules = {
	...js.configs.recommended.rules,
	"no-unused-vars": ["error", { argsIgnorePattern: "^_", varsIgnorePattern: "^Yomi" }],
	"no-var": "error",
	"prefer-const": ["error", { destructuring: "all" }],
	eqeqeq: "error",
	"no-shadow": ["error", { builtinGlobals: false, hoist: "functions", allow: ["t"] }],
	"no-implicit-globals": "off",
	"no-constant-binary-expression": "error",
	"no-self-compare": "error",
	"no-useless-assignment": "error",
	"no-loop-func": "off",
};

module.exports = [
	{ files: ["protocol/web/*.js"], ignores: ["protocol/web/ground.js", "protocol/web/board.js"], languageOptions: { sourceType: "module", globals: { ...page, ...made } }, rules },
	{ files: ["protocol/web/ground.js", "protocol/web/board.js", "tools/report/*.js"], languageOptions: { sourceType: "script", globals: { ...page, ...made } },
		rules: { ...rules, "no-redeclare": "off" } },
	{ files: ["site/carrier.js"], languageOptions: { sourceType: "module", globals: page }, rules },
	{ files: ["site/worker.js", "site/offline.js"], languageOptions: { sourceType: "script", globals: { ...worker, onmessage: "writable" } }, rules },
	{ files: ["tests/web/*.js", "tests/web/*.cjs", "tests/site/*.js"], languageOptions: { sourceType: "commonjs", globals: { ...page, ...node, ...made, ...seen } }, rules: { ...rules, "no-shadow": "off" } },
];
