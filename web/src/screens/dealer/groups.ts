// What can go wrong, grouped as whoever deals thinks of it: about a card, the shoe, a player, a wager, the house.
import type { ReportKind } from "../../api/schema";
import { ahead } from "../../i18n/ahead";
import type { Words } from "../../i18n/text.svelte";

/** What is told where cards are keyed, and is no report of its own. */
export type Told = "too-many" | "together" | "misread";

export interface Group {
  words: Words;
  told: readonly { what: Told; words: Words }[];
  kinds: readonly ReportKind[];
}

export const GROUPS: readonly Group[] = [
  {
    words: ahead.aCard,
    told: [
      { what: "too-many", words: ahead.tooMany },
      { what: "together", words: ahead.cameWith },
      { what: "misread", words: ahead.readWrongly },
    ],
    kinds: ["foreign-card", "wrong-order", "exposed", "cannot-rebuild"],
  },
  {
    words: ahead.theShoe,
    told: [],
    kinds: ["jam", "face-up", "no-burn", "unshuffled", "order-lost", "exposed-moving", "device-reset"],
  },
  { words: ahead.aPlayer, told: [], kinds: ["wrong-delivery", "not-delivered", "absent", "carried-off", "damaged"] },
  { words: ahead.aWager, told: [], kinds: ["wager-removed"] },
  { words: ahead.theHouse, told: [], kinds: ["power-failure", "force-majeure", "other"] },
];
