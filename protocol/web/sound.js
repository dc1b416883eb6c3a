// SPDX-License-Identifier: MIT
//
// The sound of a stone: a short tone that falls. Browsers allow it after the user's first click or key.
const LENGTH = 0.09, HIGH = 620, LOW = 180, LOUD = 0.25; // seconds, Hz, Hz, gain

let context = null;

export function play_sound() {
	context ??= new AudioContext();
	const now = context.currentTime, tone = context.createOscillator(), gain = context.createGain();
	tone.type = "triangle";
	tone.frequency.setValueAtTime(HIGH, now);
	tone.frequency.exponentialRampToValueAtTime(LOW, now + LENGTH);
	gain.gain.setValueAtTime(LOUD, now);
	gain.gain.exponentialRampToValueAtTime(0.001, now + LENGTH);
	tone.connect(gain).connect(context.destination);
	tone.start(now);
	tone.stop(now + LENGTH);
}
