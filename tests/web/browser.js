// SPDX-License-Identifier: MIT
//
// Starts the browser of all checks: the first of these programs that is installed. The first has no window, and needs half of the
// processor time of a whole Chromium or less.
"use strict";

const { spawnSync } = require("node:child_process");
const { chromium } = require("playwright-core");

const executablePath = ["chromium-headless-shell", "chromium", "chromium-browser", "google-chrome"].map(name =>
	spawnSync("sh", ["-c", `command -v ${name}`], { encoding: "utf8" }).stdout.trim()).find(Boolean);
const as_root = process.getuid() === 0 ? ["--no-sandbox"] : []; // root has no sandbox

module.exports = (...flags) => chromium.launch({ executablePath, args: [...as_root, ...flags] });
