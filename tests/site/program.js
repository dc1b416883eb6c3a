// SPDX-License-Identifier: MIT
//
// Runs a function of the site's program under node: node --no-experimental-fetch tests/site/program.js FOLDER FUNCTION
"use strict";

const fs = require("node:fs");
const path = require("node:path");

const [folder, name] = process.argv.slice(2);

require(path.resolve(folder, "yomi.js"))({
	read: file => fs.readFileSync(path.join(__dirname, "../..", file)),
	print: console.log,
}).then(program => {
	program.ccall("site_init");
	process.exitCode = program.ccall(name, "number");
});
