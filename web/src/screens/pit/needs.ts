// What waits for somebody at a table, and how much it presses.
import type { Desk, Felt, Who } from "../../api/schema";

/** A thing that waits, the most pressing kind first. */
export type Need = "ruling" | "answers" | "short" | "differential" | "shoe" | "insurance";

const ORDER: readonly Need[] = ["ruling", "short", "differential", "answers", "shoe", "insurance"];

/** What waits at a table, by what its view says. */
export function needs(felt: Felt, desk: Desk): Need[] {
  const found: Need[] = [];
  if (desk.hold && !desk.hold.ruled) found.push("ruling");
  if (desk.hold?.ruled) found.push("answers");
  if (desk.liability > desk.float) found.push("short");
  if (desk.over_differential) found.push("differential");
  if (desk.needs_shoe) found.push("shoe");
  if (felt.window && !felt.window.offered) found.push("insurance");
  return found;
}

export function pressing(one: Need, other: Need): number {
  return ORDER.indexOf(one) - ORDER.indexOf(other);
}

/** The lowest rank that some of the rulings need; nothing where anybody may rule, or nobody. */
export function lowest(offers: readonly { who: Who }[]): Who | undefined {
  let found: Who | undefined;
  for (const { who } of offers) {
    if (who === "anybody") return who;
    if (who === "nobody") continue;
    if (found === undefined || (typeof found === "object" && who.rank < found.rank)) found = who;
  }
  return found ?? (offers.length > 0 ? "nobody" : undefined);
}
