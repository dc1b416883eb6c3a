// SPDX-License-Identifier: MIT
//
// User actions on the page, in a real browser. Each check is a function of a fresh page or of the browser.
// Engines have one thread, a seed and a playout limit, so every run plays the same games. Checks wait for events,
// never for a fixed time.
"use strict";

const run = require("./runner.js");
const { Server } = require("./lib.js");

const checks = Object.assign({}, ...["play", "puzzles", "analysis", "aside", "records", "connection"].map(name => require(`./${name}.js`)));

Server.start(0, "--clients=16").then(server => run(checks, server));
