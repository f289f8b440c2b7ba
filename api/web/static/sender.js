/** One command at a time: the next is taken only after the answer to the one before. */

import { Problem, command } from "./api.js";

export class Sender {
  /**
   * @param {string} table
   * @param {(state: "idle" | "sending" | "doubt") => void} changed
   */
  constructor(table, changed) {
    this.table = table;
    this.changed = changed;
    this.actor = "";
    this.busy = false;
  }

  /** The server's word on who we are here and the last key it has seen from us. */
  meet(actor, last) {
    this.actor = actor;
    raiseTo(slot(this.table, actor), last);
  }

  /**
   * Resolves when the command has been carried out, to its outcome; throws a Problem when it was refused.
   * @param {{verb: string, amount?: number, turn?: number}} body
   * @returns {Promise<{version: number} | null>} null while another command is under way
   */
  async send(body) {
    if (this.busy) return null;
    this.busy = true;
    this.changed("sending");
    try {
      return await this.deliver(body);
    } finally {
      this.busy = false;
      this.changed("idle");
    }
  }

  async deliver(body) {
    const doubt = () => this.changed("doubt");
    const key = await nextKey(slot(this.table, this.actor));
    try {
      return await command(this.table, String(key), body, doubt);
    } catch (problem) {
      if (!(problem instanceof Problem) || !takenElsewhere(problem, body)) throw problem;
      raiseTo(slot(this.table, this.actor), Number(problem.document.last));
      return await command(this.table, String(await nextKey(slot(this.table, this.actor))), body, doubt);
    }
  }
}

/**
 * Another tab of this player had taken our key (`k_reused`: ours did nothing) or has sent a later one meanwhile
 * (`superseded`: ours may have been carried out, so only a decision may be sent again: its turn can be answered once).
 */
function takenElsewhere(problem, body) {
  return problem.code === "k_reused" || (problem.code === "superseded" && body.turn !== undefined);
}

function slot(table, actor) {
  return `croupier.key.${table}.${actor}`;
}

function raiseTo(name, last) {
  const known = Number(localStorage.getItem(name) ?? 0);
  if (last > known) localStorage.setItem(name, String(last));
}

/** The next key of this player, the same count in all his tabs. */
async function nextKey(name) {
  const take = () => {
    const key = Number(localStorage.getItem(name) ?? 0) + 1;
    localStorage.setItem(name, String(key));
    return key;
  };
  // Locks exist in secure contexts only; without them two tabs may take one key, and the server refuses the second.
  return navigator.locks ? navigator.locks.request(name, take) : take();
}
