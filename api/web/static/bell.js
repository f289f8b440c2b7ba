/** Whoever looks elsewhere learns that it is his turn: by the title of the page and, if he likes, by a sound. */

import { text } from "./texts.js";

const KEPT = "croupier.sound";
const TONE = { hertz: 660, seconds: 0.35, loudness: 0.15 };
const plain = document.title;

export class Bell {
  /** @param {HTMLInputElement} tick whether to ring; off until the reader wants it, then kept in this browser */
  constructor(tick) {
    this.tick = tick;
    this.turn = 0;
    tick.checked = localStorage.getItem(KEPT) !== null;
    tick.addEventListener("change", () => this.keep());
  }

  keep() {
    if (!this.tick.checked) return localStorage.removeItem(KEPT);
    localStorage.setItem(KEPT, "yes");
    return ring();
  }

  /** Once a turn. */
  show(mine, turn) {
    document.title = mine ? `● ${text("table.your_turn")} · ${plain}` : plain;
    if (mine && turn !== this.turn && this.tick.checked) ring();
    if (mine) this.turn = turn;
  }
}

/** A short tone that dies away; browsers keep it silent until the reader has clicked something on the page. */
function ring() {
  const audio = new AudioContext();
  const loudness = new GainNode(audio, { gain: TONE.loudness });
  const tone = new OscillatorNode(audio, { frequency: TONE.hertz });
  const end = audio.currentTime + TONE.seconds;
  loudness.gain.exponentialRampToValueAtTime(0.001, end);
  tone.connect(loudness).connect(audio.destination);
  tone.onended = () => audio.close();
  tone.start();
  tone.stop(end);
}
