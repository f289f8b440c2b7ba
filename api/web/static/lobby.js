/** Keeps the lobby fresh: fetches the same page again and takes its rows. Without it the lobby is a plain page. */

const EVERY_MS = 5_000;

async function refresh() {
  if (document.hidden) return;
  const answer = await fetch(location.href, { headers: { Accept: "text/html" } }).catch(() => null);
  if (!answer?.ok) return;
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  const fresh = page.getElementById("tables");
  const old = document.getElementById("tables");
  if (fresh && old && fresh.innerHTML !== old.innerHTML && !old.contains(document.activeElement)) old.replaceWith(fresh);
}

setInterval(refresh, EVERY_MS);
