#!/usr/bin/env python3
"""Checks an export, or a shoe, with nothing but Python: written from docs/formats.md, not from Croupier's code.

Usage: check.py export FOLDER [KEY]   chains, checkpoints and shoes of an export; KEY is one that must have signed
       check.py shoe FILE             an answer of GET /api/tables/{table}/shoes/{shoe}

It ends with 0 if everything holds, and with 1 at the first thing that does not.
"""

import hashlib
import json
import pathlib
import sys

ZERO = "0" * 64
RANKS, SUITS = "A23456789TJQK", "SHCD"


def sha256(*parts):
    return hashlib.sha256(b"".join(parts)).digest()


def fail(what):
    print(what)
    sys.exit(1)


# Shoes


def leaf(position, card, salt):
    byte = 4 * RANKS.index(card[0]) + SUITS.index(card[1])
    return sha256(b"\x00", position.to_bytes(4, "big"), bytes([byte]), bytes.fromhex(salt))


def root(cards, top):
    return sha256(b"\x02", cards.to_bytes(4, "big"), top).hex()


def top_of(leaves):
    level = leaves
    while len(level) > 1:
        pairs = [sha256(b"\x01", *level[at : at + 2]) for at in range(0, len(level) - 1, 2)]
        level = pairs + level[len(level) - len(level) % 2 :]
    return level[0]


def root_of_all(cards):
    """The commitment to cards with their salts, in their order."""
    leaves = [leaf(position, card, salt) for position, (card, salt) in enumerate(cards)]
    return root(len(leaves), top_of(leaves))


def root_by_path(position, card, salt, path, cards):
    """The commitment that a proof leads to."""
    node, index, width, path = leaf(position, card, salt), position, cards, [bytes.fromhex(p) for p in path]
    while width > 1:
        if index % 2 == 1:
            node = sha256(b"\x01", path.pop(0), node)
        elif index + 1 < width:
            node = sha256(b"\x01", node, path.pop(0))
        index, width = index // 2, (width + 1) // 2
    return None if path else root(cards, node)


def check_shoe(told):
    openings = told["openings"]
    if told["is_over"] and len(openings) == told["cards"]:
        order = sorted(openings, key=lambda opening: opening["position"])
        if root_of_all([(opening["card"], opening["salt"]) for opening in order]) != told["commitment"]:
            fail("the cards are not those committed to")
        print(f"all {told['cards']} cards are those committed to")
        return
    for opening in openings:
        found = root_by_path(
            opening["position"], opening["card"], opening["salt"], list(opening.get("path", [])), told["cards"]
        )
        if found != told["commitment"]:
            fail(f"{opening['card']} is not proved to be at position {opening['position']}")
    print(f"{len(openings)} cards are proved; the shoe is in play")


# Ed25519, RFC 8032, section 5.1.7

P = 2**255 - 19
ORDER = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, P - 2, P) % P


def add(p, q):
    a, b = (p[1] - p[0]) * (q[1] - q[0]) % P, (p[1] + p[0]) * (q[1] + q[0]) % P
    c, d = 2 * p[3] * q[3] * D % P, 2 * p[2] * q[2] % P
    e, f, g, h = b - a, d - c, d + c, b + a
    return (e * f % P, g * h % P, f * g % P, e * h % P)


def multiply(scalar, point):
    result = (0, 1, 1, 0)
    while scalar:
        if scalar & 1:
            result = add(result, point)
        point, scalar = add(point, point), scalar >> 1
    return result


def is_equal(p, q):
    return (p[0] * q[2] - q[0] * p[2]) % P == 0 and (p[1] * q[2] - q[1] * p[2]) % P == 0


def point(encoded):
    y = int.from_bytes(encoded, "little")
    sign, y = y >> 255, y & (2**255 - 1)
    square = (y * y - 1) * pow(D * y * y + 1, P - 2, P) % P
    x = pow(square, (P + 3) // 8, P)
    if (x * x - square) % P:
        x = x * pow(2, (P - 1) // 4, P) % P
    if y >= P or (x * x - square) % P or (x == 0 and sign):
        return None
    if x & 1 != sign:
        x = P - x
    return (x, y, 1, x * y % P)


BASE = point((4 * pow(5, P - 2, P) % P).to_bytes(32, "little"))


def is_signed(key, message, signature):
    a, r = point(key), point(signature[:32])
    s = int.from_bytes(signature[32:], "little")
    if a is None or r is None or s >= ORDER:
        return False
    h = int.from_bytes(hashlib.sha512(signature[:32] + key + message).digest(), "little") % ORDER
    return is_equal(multiply(s, BASE), add(r, multiply(h, a)))


# Exports


def check_chains(lines):
    """The hashes of all lines, by stream and number and in their order; every line names the one before it."""
    hashes, heads, commitments, shown = {}, {}, {}, 0
    order = []
    for position, line in enumerate(lines, 1):
        told = json.loads(line)
        stream, sequence = told["stream"], told["sequence"]
        last, before = heads.get(stream, (0, ZERO))
        if sequence != last + 1 or told["previous"] != before:
            fail(f"line {position}: {stream} {sequence} does not follow the line before it")
        heads[stream] = (sequence, sha256(line).hex())
        order.append(sha256(line))
        hashes[stream, sequence] = (position, heads[stream][1])
        for event in told["events"]:
            match event:
                case {"fact": {"shoe-loaded": loaded}}:
                    commitments[stream, loaded["number"]] = loaded.get("commitment")
        if "reveal-shoe" in told["deed"]:
            shoe = told["deed"]["reveal-shoe"]
            if root_of_all(shoe["cards"]) != commitments.get((stream, shoe["shoe"])):
                fail(f"line {position}: shoe {shoe['shoe']} of {stream} is not the one committed to")
            shown += 1
    print(f"{len(lines)} lines in {len(heads)} streams follow one another; {shown} shoes are those committed to")
    return hashes, order


def check_checkpoints(lines, hashes, order, trusted):
    before, expected, keys = ZERO, None, set()
    position, rolling = 0, bytes(32)
    for number, line in enumerate(lines, 1):
        told = json.loads(line)
        checkpoint = told["checkpoint"]
        # What is signed are the bytes between `{"checkpoint":` and `,"signature":"…"}`, as they stand in the line.
        message = line[len(b'{"checkpoint":') : -len(b',"signature":""}') - 128]
        key = checkpoint["key"]
        if checkpoint["number"] != number or checkpoint["previous"] != before or key != (expected or key):
            fail(f"checkpoint {number} does not follow the one before it")
        if not is_signed(bytes.fromhex(key), message, bytes.fromhex(told["signature"])):
            fail(f"checkpoint {number} has a wrong signature")
        if "heads" in checkpoint:  # as earlier versions wrote it; the rolling hash begins anew after it
            for stream, head in checkpoint["heads"].items():
                at, found = hashes.get((stream, head["sequence"]), (0, None))
                if found != head["hash"] or at > checkpoint["position"]:
                    fail(f"checkpoint {number}: line {head['sequence']} of {stream} is missing or another")
            position, rolling = max(position, checkpoint["position"]), bytes(32)
        else:
            if not position <= checkpoint["position"] <= len(order):
                fail(f"checkpoint {number}: lines through {checkpoint['position']} are missing")
            for line_hash in order[position : checkpoint["position"]]:
                rolling = sha256(rolling, line_hash)
            position = checkpoint["position"]
            if rolling.hex() != checkpoint["lines"]:
                fail(f"checkpoint {number}: a line through {position} is missing or another")
        before, expected = sha256(line).hex(), checkpoint.get("next_key", key)
        keys.add(key)
    if trusted and trusted not in keys:
        fail(f"no checkpoint is signed by {trusted}")
    print(f"{len(lines)} checkpoints are signed and agree with the lines")


def check_export(folder, trusted):
    def lines(name):
        path = folder / name
        return path.read_bytes().splitlines() if path.exists() else []

    hashes, order = check_chains(lines("journal.jsonl"))
    check_checkpoints(lines("checkpoints.jsonl"), hashes, order, trusted)
    for path in sorted(folder.glob("rulebooks/*.toml")):
        if not path.stem.endswith(sha256(path.read_bytes()).hex()):
            fail(f"{path.name} is not the text that its name says")


def main(arguments):
    match arguments:
        case ["export", folder, *key] if len(key) <= 1:
            check_export(pathlib.Path(folder), key[0] if key else None)
        case ["shoe", file]:
            check_shoe(json.loads(pathlib.Path(file).read_bytes()))
        case _:
            sys.exit(__doc__)


main(sys.argv[1:])
