/**
 * The only way this client makes elements. Texts become text nodes, never markup: a player's name cannot be executed.
 */

const SVG = "http://www.w3.org/2000/svg";

/**
 * @param {string} tag
 * @param {Record<string, unknown>} attributes `on…` are listeners; null, undefined and false are left out
 * @param {...(Node | string | number | null)} children
 * @returns {HTMLElement}
 */
export function el(tag, attributes = {}, ...children) {
  return /** @type {HTMLElement} */ (fill(document.createElement(tag), attributes, children));
}

/** As `el`, for drawings. */
export function svg(tag, attributes = {}, ...children) {
  return fill(document.createElementNS(SVG, tag), attributes, children);
}

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  element.append(...children.filter((child) => child !== null && child !== undefined).map(nodeOf));
  return element;
}

function nodeOf(child) {
  return child instanceof Node ? child : document.createTextNode(String(child));
}

const shown = new WeakMap();

/**
 * Replace the children only when what they show has changed, so that focus and half-typed numbers survive.
 * @param {Element} element
 * @param {unknown} what plain value that decides what is shown
 * @param {() => (Node | null)[]} build
 */
export function refill(element, what, build) {
  const key = JSON.stringify(what);
  if (shown.get(element) === key) return;
  shown.set(element, key);
  element.replaceChildren(...build().filter((child) => child !== null));
}

/** The element with this id, which the page's template always has. */
export function byId(id) {
  const found = document.getElementById(id);
  if (!found) throw new Error(`the page has no #${id}`);
  return found;
}
