/**
 * The rings at the seat on turn and over its buttons: how much of the time for this decision is left; and whatever else
 * counts down to the moment in its `data-until`. By the server's clock.
 */

let ahead = 0; // how far the server's clock is ahead of ours, ms
let running = { deadline: 0, whole: 1 };
let still = false; // the table is paused: nothing counts down, and how much is left when it goes on is not known here

/** Every message of the server carries its time. */
export function setServerTime(now) {
  ahead = now - Date.now();
}

/**
 * @param {number | null} deadline ms of the server's clock; null when nobody has the turn
 * @param {boolean} paused
 */
export function setDeadline(deadline, paused) {
  if (deadline !== running.deadline) running = { deadline: deadline ?? 0, whole: Math.max(1, left(deadline ?? 0)) };
  still = paused;
  draw();
}

function left(deadline) {
  return Math.max(0, deadline - ahead - Date.now());
}

function draw() {
  const rest = left(running.deadline);
  for (const ring of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll(".clock"))) {
    ring.style.setProperty("--left", `${Math.round((360 * rest) / running.whole)}deg`);
    ring.textContent = still ? "" : String(Math.ceil(rest / 1000));
    ring.classList.toggle("short", !still && rest < 5_000);
  }
  for (const element of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-until]"))) {
    const seconds = Math.ceil(left(Number(element.dataset.until)) / 1000);
    element.textContent = still ? "" : `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
  }
}

setInterval(draw, 250);
