/** Lays each bet before its seat, towards the middle, where it covers nothing that has to be read. */

const GAP = 3; // px between a bet and what it lies beside
const STEP = 6; // px between the places that are tried
const RINGS = 4; // so many of them round the seat, each a bet further out
const COVERING = 100; // a px² covered is as bad as being so many px from where the bet belongs

const BODY = ".cards, .plate, .vacant";
const READ = `.seat :is(.cards, .plate, .word, .mark, .dealer, .clock, .vacant), .middle :is(.card, .price, .pot, .burned span)`;

/** After the seats and the middle have been drawn. */
export function layBets(felt) {
  const table = boxOf(felt);
  const taken = all(felt, READ).map(boxOf);
  for (const bet of all(felt, "[data-bet]:not(:empty)")) {
    const seat = around(all(felt, `[data-seat="${bet.dataset.bet}"] :is(${BODY})`).map(boxOf));
    const chip = boxOf(bet);
    const spot = bestSpot(seat, chip.right - chip.left, chip.bottom - chip.top, table, taken);
    bet.style.setProperty("--left", share(spot.x - table.left - felt.clientLeft, felt.clientWidth));
    bet.style.setProperty("--top", share(spot.y - table.top - felt.clientTop, felt.clientHeight));
    taken.push(boxAt(spot, chip.right - chip.left, chip.bottom - chip.top));
  }
}

/** So it stays on the felt when the window changes, until it is laid anew. */
function share(px, whole) {
  return `${((100 * px) / whole).toFixed(2)}%`;
}

function all(felt, selector) {
  return [...felt.querySelectorAll(selector)];
}

function boxOf(element) {
  const { left, top, right, bottom } = element.getBoundingClientRect();
  return { left, top, right, bottom };
}

/** One box around all of them. */
function around(boxes) {
  return {
    left: Math.min(...boxes.map((box) => box.left)),
    top: Math.min(...boxes.map((box) => box.top)),
    right: Math.max(...boxes.map((box) => box.right)),
    bottom: Math.max(...boxes.map((box) => box.bottom)),
  };
}

function boxAt({ x, y }, width, height) {
  return { left: x - width / 2, top: y - height / 2, right: x + width / 2, bottom: y + height / 2 };
}

/** The place round the seat that covers least, and of those the nearest to where the seat meets the way to the middle. */
function bestSpot(seat, width, height, table, taken) {
  const middle = { x: (table.left + table.right) / 2, y: (table.top + table.bottom) / 2 };
  const rings = Array.from({ length: RINGS }, (_, ring) => spotsRound(seat, width, height, ring));
  const home = least(rings[0], (spot) => distance(spot, middle));
  const cost = (spot) => distance(spot, home) + COVERING * covered(boxAt(spot, width, height), table, taken);
  return least(rings.flat(), cost);
}

/** Centres of the places beside a seat where a bet of that size just does not touch it. */
function spotsRound(seat, width, height, ring) {
  const [left, right] = [seat.left - width / 2 - GAP - ring * STEP, seat.right + width / 2 + GAP + ring * STEP];
  const [top, bottom] = [seat.top - height / 2 - GAP - ring * STEP, seat.bottom + height / 2 + GAP + ring * STEP];
  const across = steps(left, right).flatMap((x) => [{ x, y: top }, { x, y: bottom }]);
  const down = steps(top, bottom).flatMap((y) => [{ x: left, y }, { x: right, y }]);
  return [...across, ...down];
}

/** Numbers from one to the other, the one halfway between them among them. */
function steps(from, to) {
  const count = Math.max(2, 2 * Math.round((to - from) / STEP / 2));
  return Array.from({ length: count + 1 }, (_, step) => from + ((to - from) * step) / count);
}

/** px² of the box that lie over something, or beyond the table. */
function covered(box, table, taken) {
  const area = (box.right - box.left) * (box.bottom - box.top);
  return taken.reduce((sum, other) => sum + common(box, other), area - common(box, table));
}

function common(one, other) {
  const width = Math.min(one.right, other.right) - Math.max(one.left, other.left);
  const height = Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top);
  return width > 0 && height > 0 ? width * height : 0;
}

function distance(one, other) {
  return Math.hypot(one.x - other.x, one.y - other.y);
}

function least(spots, cost) {
  const costs = spots.map(cost);
  return spots[costs.indexOf(Math.min(...costs))];
}
