// The cards of a round as they lie: which hand each lies on, and which way.
import type { CardShown, Face, Felt, Side } from "../../../api/schema";
import type { Laid } from "../../../ui/Hand.svelte";

/** The card of a face that is up. */
export function up(face: Face): string | undefined {
  return face === "down" ? undefined : face.up;
}

/** The cards that lie on one of the two hands, in draw order: not all need belong there. */
export function handOf({ draws }: Pick<Felt, "draws">, side: Side): CardShown[] {
  return draws.filter((card) => (card.misplaced ?? card.side) === side);
}

/** What is to be seen of one of the two hands, with what lies there beside its cards; `peek` tells closed ones to whoever may see them. */
export function cardsOn(felt: Felt, side: Side, peek?: (draw: number) => string | undefined): Laid[] {
  const laid = handOf(felt, side).map((card, place): Laid => {
    const at = felt.draws.indexOf(card);
    const secret = card.face === "down" ? peek?.(at + 1) : undefined;
    return {
      key: `${felt.round}-${at}`,
      card: up(card.face) ?? secret,
      isSideways: place === 2,
      isSecret: secret !== undefined,
    };
  });
  for (const [at, card] of felt.surplus.entries()) {
    if (card.on === side) laid.push({ key: `${felt.round}-more-${at}`, card: up(card.face), isDim: true });
  }
  return laid;
}

/** Cards that lie on no hand: drawn together, surplus without a place, or what the next hand starts with. */
export function looseCards(felt: Felt): Laid[] {
  const surplus = felt.surplus.filter((card) => card.on == null).map((card) => card.face);
  return [...felt.together, ...surplus, ...felt.carried].map((face, at) => ({
    key: `${felt.round}-loose-${at}`,
    card: up(face),
    isDim: true,
  }));
}
