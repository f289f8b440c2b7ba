/** Four colours or two: the reader's choice, kept in this browser. */

const KEPT = "croupier.two-colours";

/** @param {HTMLInputElement} tick */
export function chooseColours(tick) {
  tick.checked = localStorage.getItem(KEPT) === null;
  show(tick.checked);
  tick.addEventListener("change", () => {
    if (tick.checked) localStorage.removeItem(KEPT);
    else localStorage.setItem(KEPT, "yes");
    show(tick.checked);
  });
}

function show(four) {
  document.body.classList.toggle("four-colours", four);
}
