"""A complete bot in one file: `python examples/bot.py URL TABLE NAME CHIPS [HANDS [pledge]]`. Standard library only.

It looks at the table (long poll), acts when it has the turn, and stops after HANDS hands (10). It checks or calls
whatever is asked; replace `choose` with something better. With `pledge` it has its say in how
each deck is cut (see `cut`).
"""

import hashlib
import json
import secrets
import sys
import urllib.error
import urllib.request


def ask(url, token="", body=None, method=None, **headers):
    """One request; the JSON document of the answer, a problem document included."""
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(url, data, {"Content-Type": "application/json", **headers}, method=method)
    if token:
        request.add_header("Authorization", f"Bearer {token}")
    try:
        with urllib.request.urlopen(request, timeout=60) as answer:
            text = answer.read()
    except urllib.error.HTTPError as problem:
        text = problem.read()
    return json.loads(text) if text else {}


def choose(legal):
    """The cheapest way to stay in; the least amount where the verb needs one."""
    for verb in ("check", "call", "bring_in", "muck", "fold"):
        if verb in legal:
            return {"verb": verb, "amount": legal[verb][0]} if verb == "bring_in" else {"verb": verb}
    raise SystemExit(f"no idea what to do with {sorted(legal)}")


def cut(view, name, seeds):
    """A pledge for the next hand, or the seed pledged for this one now that its root is public; or nothing."""
    hand, number = view["hand"], view["number"]
    if hand and name in hand["cut"]["awaited"]:
        return ("seed", {"hand": number, "seed": seeds.pop(number).hex()}) if number in seeds else None
    if number + 1 in seeds:
        return None
    seeds[number + 1] = seed = secrets.token_bytes(32)
    hand_id = view["table"].encode() + b"\0" + (number + 1).to_bytes(8, "big")
    return "pledge", {"hand": number + 1, "pledge": hashlib.sha256(b"\x05" + hand_id + seed).hexdigest()}


def free_seat(table):
    seats = ask(f"{table}/seats")["items"]
    return next(index for index, place in enumerate(seats) if place is None)


def main(url, table_id, name, chips, hands="10", pledge=""):
    table = f"{url}/api/v1/tables/{table_id}"
    me = ask(f"{table}/seats/{free_seat(table)}", body={"player": name, "chips": int(chips)}, method="PUT")
    token, seat, k, version, first, seeds = me["token"], me["seat"], me["last"], 0, None, {}
    while True:
        found = ask(f"{table}?after={version}&wait=20", token)
        version, view = found.get("version", version), found.get("view")
        if view is None:  # nothing new yet
            continue
        first = view["number"] if first is None else first
        if view["number"] - first >= int(hands):
            break
        if asked := pledge and cut(view, me["player"], seeds):
            ask(f"{table}/seats/{seat}/{asked[0]}", token, asked[1], method="PUT")
        if view["hand"] and view["hand"]["actor"] == seat:
            k += 1  # every command has a number; sending the same one twice counts once
            command = {**choose(view["hand"]["legal"]), "turn": view["turn"]}
            ask(f"{table}/commands", token, command, **{"Idempotency-Key": str(k), "Prefer": "wait=2"})
    ask(f"{table}/seats/{seat}", token, method="DELETE")
    print(f"{name} played {view['number'] - first} hands")


if __name__ == "__main__":
    main(*sys.argv[1:])
