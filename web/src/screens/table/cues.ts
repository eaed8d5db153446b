// What is to be heard when one view of the felt follows another.
import type { Felt } from "../../api/schema";
import type { Cue } from "../../lib/sound.svelte";
import { winnerOf } from "./felt/result";

const isOpen = (felt: Felt): boolean => felt.phase === "bets-open" || felt.phase === "reopened";
const cards = (felt: Felt): number => felt.draws.length + felt.hands.reduce((sum, { cards }) => sum + cards.length, 0);
const turned = (felt: Felt): number =>
  felt.draws.filter(({ face }) => face !== "down").length +
  felt.hands.reduce((sum, { cards }) => sum + cards.filter((face) => face !== "down").length, 0);

/** The cues of a change; `net` is what the round brought to whoever listens, if they played. */
export function cuesOf(before: Felt, now: Felt, net: number | undefined): Cue[] {
  const cues: Cue[] = [];
  if (isOpen(before) && !isOpen(now)) cues.push("close");
  if (now.round === before.round) {
    if (cards(now) > cards(before)) cues.push("card");
    if (turned(now) > turned(before)) cues.push("turn");
  }
  if (before.closed == null && now.closed != null) {
    const winner = winnerOf(now);
    if (net !== undefined && net !== 0) cues.push(net > 0 ? "win" : "lose");
    else if (winner !== undefined) cues.push(winner);
  }
  return cues;
}
