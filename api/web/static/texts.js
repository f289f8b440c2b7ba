/** Texts in the page's language. Catalogues are flat: key to text with `{names}` to fill in. */

const lang = document.documentElement.lang;
const answer = await fetch(`/web/locales/${lang}.json`);
/** @type {Record<string, string>} */
const catalogue = await answer.json();
const numbers = new Intl.NumberFormat(lang);
const SUITS = { c: "♣", d: "♦", h: "♥", s: "♠" };

export function has(key) {
  return key in catalogue;
}

/**
 * @param {string} key
 * @param {Record<string, string | number>} values numbers are written as the language writes them
 */
export function text(key, values = {}) {
  return (catalogue[key] ?? key).replace(/\{(\w+)\}/g, (_, name) => {
    const value = values[name];
    return typeof value === "number" ? number(value) : String(value ?? "");
  });
}

/** Chips and counts as the language writes them. */
export function number(value) {
  return numbers.format(value);
}

const gains = new Intl.NumberFormat(lang, { signDisplay: "exceptZero" });

/** What was won or lost: "+5", "−3". */
export function signed(value) {
  return gains.format(value);
}

/** "4", or "1–4". */
export function range(least, most) {
  return least === most ? number(least) : `${number(least)}–${number(most)}`;
}

/** "As" → "A♠". */
export function shortCard(card) {
  return rankText(card[0]) + SUITS[card[1]];
}

/** "As" → "ace of spades"; null is a back. */
export function cardName(card) {
  if (!card) return text("card.back");
  return text("card.name", { rank: text(`rank.${card[0]}`), suit: text(`suit.${card[1]}`) });
}

export function rankText(rank) {
  return rank === "T" ? "10" : rank;
}

/** The name of a hand from its category and the ranks that tell it apart: `{category: "two pair", ranks: "43K"}`. */
export function handName({ category, ranks }) {
  const written = [...ranks].map(rankText).join("-");
  return text(`category.${category.replaceAll(" ", "_")}`, { ranks: written });
}
