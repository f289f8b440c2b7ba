/** The HTTP interface as this client uses it. The cookie carries the seat's token; a host presents his own. */

const PATIENCE_MS = 8_000; // longer than the server waits for an outcome
const GIVE_UP_MS = 60_000;
const UNDECIDED = new Set([202, 429, 502, 503, 504]); // the command may be on its way, or may have to come again

/** A refusal or failure as the server's problem document (RFC 9457) tells it. */
export class Problem extends Error {
  /** @param {{code?: string, status?: number, [more: string]: unknown}} document */
  constructor(document) {
    super(document.code ?? "unknown");
    this.code = document.code ?? "unknown";
    this.document = document;
  }
}

/** The table's address under the API. */
export function tableUrl(table) {
  return `/api/v1/tables/${encodeURIComponent(table)}`;
}

export async function get(url) {
  return read(await ask("GET", url));
}

export async function change(method, url, body) {
  return read(await ask(method, url, body));
}

let credential = {};

/** From now on every request carries this token; with none it is the cookie that tells who asks. */
export function present(token) {
  credential = token ? { Authorization: `Bearer ${token}` } : {};
}

async function ask(method, url, body, headers = {}) {
  const content = body === undefined ? {} : { body: JSON.stringify(body) };
  const type = body === undefined ? {} : { "Content-Type": "application/json" };
  const signal = AbortSignal.timeout(PATIENCE_MS);
  return fetch(url, { method, headers: { Accept: "application/json", ...credential, ...type, ...headers }, signal, ...content });
}

async function read(response) {
  const body = response.status === 204 ? null : await response.json();
  if (!response.ok) throw new Problem({ status: response.status, ...body });
  return body;
}

/** The outcome of a change that the server had only taken note of; throws a Problem if it was refused. */
export async function settled(table, answer) {
  while (answer.status === "pending") {
    await pause(500);
    answer = await get(`${tableUrl(table)}/commands/${answer.command}`);
  }
  if (answer.status === "refused") throw new Problem(answer);
  return answer;
}

function pause(ms) {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/**
 * Send a command until its outcome is known: while the network or the server is in doubt, the same command goes out
 * again under the same key, which the server carries out once.
 * @param {string} table
 * @param {string} key decimal, larger than any before
 * @param {object} body
 * @param {() => void} doubt called before every repetition
 */
export async function command(table, key, body, doubt) {
  const url = `${tableUrl(table)}/commands`;
  const headers = { "Idempotency-Key": key, Prefer: "wait=2" };
  const until = Date.now() + GIVE_UP_MS;
  for (let ms = 300; Date.now() < until; ms = Math.min(2 * ms, 5_000)) {
    const answer = await ask("POST", url, body, headers).catch(() => null);
    if (answer && !UNDECIDED.has(answer.status)) return read(answer);
    doubt();
    await pause(ms);
  }
  throw new Problem({ code: "offline" });
}
