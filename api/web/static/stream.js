/**
 * The table's server-sent events. The browser reconnects by itself and asks for what follows the last id; an event it
 * has seen already is ignored here, and a state replaces whatever was known.
 */

import { tableUrl } from "./api.js";

export class Stream {
  /**
   * @param {string} table
   * @param {{state: (message: any, anew: boolean) => void, event: (message: any) => void, online: (yes: boolean) => void}} told
   */
  constructor(table, told) {
    this.url = `${tableUrl(table)}/stream`;
    this.told = told;
    this.open();
  }

  /** From the start: after sitting down or leaving, when we may see something else than before. */
  open() {
    this.source?.close();
    this.version = -1;
    this.source = new EventSource(this.url);
    this.source.onopen = () => this.told.online(true);
    this.source.onerror = () => this.failed();
    this.source.addEventListener("snapshot", (message) => this.state(message, true));
    this.source.addEventListener("resync", (message) => this.state(message, true));
    this.source.addEventListener("state", (message) => this.state(message, false));
    this.source.addEventListener("event", (message) => this.event(message));
  }

  /** A server that answers with an error ends an EventSource for good: try again ourselves. */
  failed() {
    this.told.online(false);
    if (this.source.readyState === EventSource.CLOSED) setTimeout(() => this.open(), 2_000 + 3_000 * Math.random());
  }

  /** @param {boolean} anew what was known counts no longer, whatever its version */
  state(message, anew) {
    const state = JSON.parse(message.data);
    if (state.version < this.version && !anew) return;
    this.version = state.version;
    this.told.state(state, anew);
  }

  event(message) {
    const event = JSON.parse(message.data);
    if (event.version <= this.version) return;
    this.version = event.version;
    this.told.event(event);
  }
}
