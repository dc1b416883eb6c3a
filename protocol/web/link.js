// SPDX-License-Identifier: MIT
//
// The connection to the engine: commands and their answers. The carrier moves the lines.
//
// If the connection breaks, all waiting commands are rejected. When there is a connection again, to the same game or a
// new one, `onopen` is called. The user of the link must then send the whole state again.
import { Carrier } from "./carrier.js";

const LOOK = 500;     // ms between two checks that the engine still answers
const SILENCE = 2000; // ms to wait for an answer before a ping; after the same time again the engine counts as silent
const BEAT = 10000;   // ms without a word between two pings of an idle connection

export class Lost extends Error {}    // the connection broke before an answer came
export class Refused extends Error {} // the engine answered with an error: the message

export class Link {
	onopen = null; // (): connected, the session is in an unknown state
	onlost = null; // (reason): the server's error text, or ""
	onbusy = null; // (is_busy): true if a command that should be quick takes long, false when it is answered
	onsilence = null; // (is_silent): true if an answer is overdue for some seconds, false when the engine answers again

	constructor() {
		this.carrier = new Carrier(this);
		this.waiting = new Map(); // command number -> { resolve, reject, report, since }
		this.number = 0;
		this.asleep = false;
		this.heard = Date.now();
		this.silent = this.probing = this.busy = false;
		setInterval(() => this.look(), LOOK);
	}

	get open() {
		return this.carrier.open;
	}

	connect() {
		clearTimeout(this.timer);
		if (this.asleep)
			return;
		this.expect();
		this.carrier.connect();
	}

	opened() {
		this.hear();
		this.onopen?.();
	}

	answer({ id, ok, text }) {
		this.hear();
		const wait = this.waiting.get(id);
		this.waiting.delete(id);
		if (ok)
			wait?.resolve(text);
		else
			wait?.reject(new Refused(text));
	}

	line({ id, text }) {
		this.hear();
		this.waiting.get(id)?.report?.(JSON.parse(text));
	}

	lost(reason, delay) {
		this.hang_up();
		this.onlost?.(reason);
		this.timer = setTimeout(() => this.connect(), delay);
	}

	hang_up() {
		clearTimeout(this.timer);
		this.silent = false;
		this.carrier.close();
		for (const wait of this.waiting.values())
			wait.reject(new Lost());
		this.waiting.clear();
	}

	// Sends a command. Returns a promise of its answer. `report` gets each object that the command streams before;
	// the next command ends the stream.
	send(command, report) {
		if (!this.open)
			return Promise.reject(new Lost());
		const number = ++this.number;
		this.expect();
		const answer = new Promise((resolve, reject) => this.waiting.set(number, { resolve, reject, report, since: Date.now() }));
		this.carrier.send(`${number} ${command}`);
		return answer;
	}

	// Ends a running search. It answers at once with its best result so far.
	interrupt() {
		this.carrier.send("# interrupt");
	}

	get is_owed() {
		return !this.asleep && (this.carrier.is_owed || this.probing || this.waiting.size > 0);
	}

	// Starts the clock for an expected answer.
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

	probe() {
		this.expect();
		this.probing = true;
		this.carrier.probe().finally(() => { this.probing = false; }).then(() => this.hear(), () => {});
	}

	// A search may be quiet for long, and an idle connection says nothing. So the carrier asks from time to time.
	look() {
		const now = Date.now(), quiet = now - this.heard, { is_owed } = this;
		if (!this.probing && !this.asleep && (is_owed ? quiet >= SILENCE : this.open && quiet >= BEAT))
			this.probe();
		else if (is_owed && quiet >= 2 * SILENCE && !this.silent) {
			this.silent = true;
			this.onsilence?.(true);
		}
		const is_busy = [...this.waiting.values()].some(({ report, since }) => !report && now - since >= LOOK);
		if (is_busy !== this.busy) {
			this.busy = is_busy;
			this.onbusy?.(is_busy);
		}
	}

	// A hidden page closes its stream, because browsers allow few connections to one server.
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

	// The page closes.
	end() {
		this.carrier.end();
		this.sleep();
	}
}
