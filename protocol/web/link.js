// SPDX-License-Identifier: MIT
//
// YomiLink: the conversation with the engine. GTP lines go out by POST, one request after another, so that they arrive
// in order; answers come back as server-sent events. A game of the server's belongs to one link.
//
// When the connection breaks, everything that waits for an answer is refused, and once there is a connection again,
// to the same game or a new one, `onopen` is called: whoever uses the link then tells the engine everything anew.
"use strict";

const YomiLink = (() => {
	const RETRY = 1000; // ms between two attempts
	const AT_ONCE = 20; // ms, where only the game was gone
	const LOOK = 500;     // ms between two looks whether the server still answers
	const SILENCE = 2000; // ms without a word, while one is owed, until the server is asked for one; as long again, it is silent

	class Lost extends Error {}    // the connection broke before an answer came
	class Refused extends Error {} // the engine answered with an error, which is the message

	class Link {
		onopen = null; // (): connected, the session is in an unknown state
		onlost = null; // (reason): text of the server, or ""
		onsilence = null; // (is_silent): the server owes a word and has said nothing for some seconds; or it does again

		constructor() {
			this.game = null;
			this.events = null;
			this.waiting = new Map(); // command number -> { resolve, reject, report }
			this.number = 0;
			this.lines = [];
			this.posting = false;
			this.asleep = false;
			this.connecting = false;
			this.heard = Date.now();
			this.silent = this.probing = false;
			setInterval(() => this.look(), LOOK);
		}

		get open() {
			return this.events?.readyState === EventSource.OPEN;
		}

		// Makes a game where there is none, and listens to it.
		async connect() {
			clearTimeout(this.timer);
			if (this.asleep)
				return;
			this.expect();
			this.connecting = true;
			try {
				if (!this.game) {
					const answer = await fetch("/game", { method: "POST" });
					this.hear();
					const body = await answer.json();
					if (!answer.ok)
						return this.lost(body.error);
					this.game = body.game;
				}
			} catch {
				return this.lost();
			}
			const events = this.events = new EventSource(`/game/${this.game}/events`);
			events.onopen = () => {
				this.connecting = false;
				this.hear();
				this.onopen?.();
			};
			events.onerror = () => {
				// Closed: the server does not know the game any more.
				const is_gone = events.readyState === EventSource.CLOSED;
				if (is_gone)
					this.game = null;
				this.lost("", is_gone ? AT_ONCE : RETRY);
			};
			events.addEventListener("taken", () => {
				this.game = null; // somebody else listens to it now
				this.lost();
			});
			for (const name of ["answer", "line"])
				events.addEventListener(name, () => this.hear());
			events.addEventListener("answer", event => {
				const { id, ok, text } = JSON.parse(event.data);
				const wait = this.waiting.get(id);
				this.waiting.delete(id);
				if (ok)
					wait?.resolve(text);
				else
					wait?.reject(new Refused(text));
			});
			events.addEventListener("line", event => {
				const { id, text } = JSON.parse(event.data);
				this.waiting.get(id)?.report?.(JSON.parse(text));
			});
		}

		lost(reason = "", delay = RETRY) {
			this.hang_up();
			this.onlost?.(reason);
			this.timer = setTimeout(() => this.connect(), delay);
		}

		hang_up() {
			clearTimeout(this.timer);
			this.connecting = this.silent = false;
			this.events?.close();
			this.lines = [];
			for (const wait of this.waiting.values())
				wait.reject(new Lost());
			this.waiting.clear();
		}

		// Sends a command and promises its answer. What it streams meanwhile, one object after another, goes to
		// `report`; a later command ends that.
		send(command, report) {
			if (!this.open)
				return Promise.reject(new Lost());
			const number = ++this.number;
			this.expect();
			const answer = new Promise((resolve, reject) => this.waiting.set(number, { resolve, reject, report }));
			this.lines.push(`${number} ${command}`);
			this.post();
			return answer;
		}

		// Ends a running search, which answers at once with the best that it has found.
		interrupt() {
			this.lines.push("# interrupt");
			this.post();
		}

		// All lines that were written in one go are one request.
		async post() {
			if (this.posting)
				return;
			this.posting = true;
			await null;
			while (this.lines.length) {
				const body = this.lines.splice(0, 500).join("\n") + "\n", game = this.game;
				try {
					const answer = await fetch(`/game/${game}`, { method: "POST", body, headers: { "Content-Type": "text/plain" } });
					this.hear();
					if (answer.ok)
						continue;
					if (answer.status === 404)
						this.game = null;
					this.lost((await answer.json().catch(() => ({}))).error);
				} catch {
					this.lost();
				}
			}
			this.posting = false;
		}

		get is_owed() {
			return !this.asleep && (this.connecting || this.posting || this.waiting.size > 0);
		}

		// A word is owed from now on.
		expect() {
			if (!this.is_owed)
				this.heard = Date.now();
		}

		hear() {
			this.heard = Date.now();
			if (this.silent) {
				this.silent = false;
				this.onsilence?.(false);
			}
		}

		// A search may have nothing to say for long; so the server is asked for what it always answers at once.
		look() {
			const quiet = this.is_owed ? Date.now() - this.heard : 0;
			if (quiet >= SILENCE && !this.probing) {
				this.probing = true;
				fetch("/", { method: "HEAD", cache: "no-store" }).then(() => this.hear(), () => {}).finally(() => { this.probing = false; });
			}
			if (quiet >= 2 * SILENCE && !this.silent) {
				this.silent = true;
				this.onsilence?.(true);
			}
		}

		// A page that nobody sees gives its connection back: browsers have few for one server.
		sleep() {
			this.asleep = true;
			this.hang_up();
		}

		wake() {
			if (!this.asleep)
				return;
			this.asleep = false;
			this.connect();
		}

		// The page is left: the game can be dropped.
		end() {
			if (this.game)
				navigator.sendBeacon(`/game/${this.game}/end`);
			this.game = null;
			this.sleep();
		}
	}
	return Object.assign(Link, { Lost, Refused });
})();
