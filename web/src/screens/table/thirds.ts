// What is said about third cards: who draws and who stands, and on what. It is told from what happened on the felt, a
// breath before it is shown; who draws is decided by the server alone.
import type { CardShown, Felt, Side } from "../../api/schema";
import { table } from "../../i18n/table";
import { t } from "../../i18n/text.svelte";
import { spelled } from "../../ui/cards";
import { handOf, up } from "./felt/hands";
import { outcomeOf } from "./felt/result";

export type Third =
  | { is: "draws" | "stands"; side: Side; points: number; on?: string }
  | { is: "stand"; player: number; banker: number }
  | { is: "natural"; points: number };

const HAND = 2;
const NATURAL = 8;

/** What is to be said between two views; nothing where no third card comes or stays away. */
export function thirdOf(before: Felt, now: Felt): Third | undefined {
  if (now.on_hold != null || now.round !== before.round) return undefined;
  const drawn = now.draws[before.draws.length];
  if (drawn !== undefined) return drawOf(before, drawn);
  if (before.closed != null || outcomeOf(now.closed) === undefined) return undefined;
  return standOf(now);
}

function drawOf(before: Felt, { side }: CardShown): Third | undefined {
  const points = before.points[side === "player" ? 0 : 1];
  if (points == null || handOf(before, side).length !== HAND) return undefined;
  return { is: "draws", side, points, ...(side === "banker" && onOf(before)) };
}

function standOf(now: Felt): Third | undefined {
  const [player, banker] = now.points;
  if (player == null || banker == null || handOf(now, "banker").length !== HAND) return undefined;
  const on = onOf(now);
  if (on !== undefined) return { is: "stands", side: "banker", points: banker, ...on };
  if (handOf(now, "player").length !== HAND) return undefined;
  const most = Math.max(player, banker);
  return most >= NATURAL ? { is: "natural", points: most } : { is: "stand", player, banker };
}

/** The Player's third card, if it is there and open. */
function onOf(felt: Felt): { on: string } | undefined {
  const third = handOf(felt, "player")[HAND];
  const card = third && up(third.face);
  return card === undefined ? undefined : { on: spelled(card).index };
}

/** The sentence. */
export function toldThird(third: Third): string {
  switch (third.is) {
    case "natural":
      return t(table.natural, { n: third.points });
    case "stand":
      return t(table.bothStand, { player: third.player, banker: third.banker });
    case "stands":
      return t(table.bankerStands, { n: third.points, card: third.on ?? "" });
    case "draws":
      if (third.side === "player") return t(table.playerDraws, { n: third.points });
      return third.on === undefined ? t(table.bankerDraws, { n: third.points }) : t(table.bankerDrawsOn, { n: third.points, card: third.on });
  }
}
