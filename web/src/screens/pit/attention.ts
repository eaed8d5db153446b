// The one list of what needs somebody: where play is stopped, where money waits, what is soon due.
import type { CaseListed, PaperShown, PitTable } from "../../api/schema";
import { dealer } from "../../i18n/dealer";
import { pit, pitNeeds } from "../../i18n/pit";
import { irregularities, phases, sides } from "../../i18n/terms";
import { t } from "../../i18n/text.svelte";
import { short } from "../../lib/money";
import type { AtTable } from "../dealer/at.svelte";
import { lowest, needs } from "./needs";

export type Group = "stopped" | "money" | "soon";

/** A line of the list. */
export interface Item {
  key: string;
  group: Group;
  /** The table that it is about. */
  table: string;
  what: string;
  /** Clause, reporter, round: what else there is to know. */
  about: string[];
  /** Whose it is. */
  who?: string | undefined;
  mine: boolean;
  /** Since when, in milliseconds. */
  since?: number | undefined;
  /** How much is at stake, or asked for. */
  amount?: number | undefined;
  button: string;
  to: string;
}

const GROUPS: readonly Group[] = ["stopped", "money", "soon"];

/** Play stopped and yours, play stopped and another's, money that waits, what is soon due; the oldest first. */
export function inOrder(items: readonly Item[]): Item[] {
  const rank = ({ group, mine }: Item): number => GROUPS.indexOf(group) * 2 + (mine ? 0 : 1);
  const age = ({ since }: Item): number => since ?? Number.POSITIVE_INFINITY;
  return items.toSorted((one, other) => rank(one) - rank(other) || age(one) - age(other) || one.key.localeCompare(other.key));
}

/** What waits at a table by its view and its figures. */
export function atTable(at: AtTable, own: number | undefined, info: PitTable | undefined): Item[] {
  const { felt, desk } = at;
  if (felt === undefined || desk === undefined) return [];
  const table = at.info.summary.name;
  const page = `/tables/${at.id}/${at.pit ? "pit" : "deal"}`;
  const base = { table, mine: false, to: page, about: [] as string[] };
  const stake = info?.stake;
  return needs(felt, desk).flatMap((need): Item[] => {
    const key = `${at.id} ${need}`;
    switch (need) {
      case "ruling":
      case "answers": {
        const hold = desk.hold;
        if (!hold) return [];
        const lead = need === "ruling" ? lowest(hold.rulings) : undefined;
        const me = desk.staff.find(({ person }) => person === own);
        const level = me === undefined ? undefined : (me.acting ?? me.rank);
        const mine = lead !== undefined && level !== undefined && (lead === "anybody" || (lead !== "nobody" && level >= lead.rank));
        const name = lead === undefined ? undefined : at.who(lead);
        const clauses = hold.rulings[0]?.cites.flatMap((basis) => ("clause" in basis ? [at.info.cites.clauses[basis.clause]] : []));
        const about = [
          clauses?.[0] === undefined ? "" : `§ ${clauses[0]}`,
          info?.held_by ?? "",
          t(pit.roundIs, { round: felt.round }),
        ];
        return [
          {
            ...base,
            key,
            group: "stopped",
            what: t(irregularities[hold.irregularity]),
            about: about.filter((part) => part !== ""),
            who: need === "answers" ? t(dealer.awaitsAnswers) : mine ? t(pit.forYou, { who: name ?? "" }) : name,
            mine,
            since: info?.held_since ?? undefined,
            amount: stake,
            button: t(mine ? pit.decide : pit.look),
          },
        ];
      }
      case "short":
        return [
          {
            ...base,
            key,
            group: "money",
            what: t(pit.shortOf, { liability: at.money(desk.liability), float: at.money(desk.float) }),
            amount: desk.liability - desk.float,
            button: t(pit.fill),
            to: `/tables/${at.id}/tray`,
          },
        ];
      case "differential": {
        const over = desk.over_differential;
        if (!over) return [];
        const what = `${t(pitNeeds.differential)}: ${t(pit.overBy, { side: t(sides[over[0]]), amount: at.money(over[1]) })}`;
        return [{ ...base, key, group: "money", what, amount: stake, button: t(pit.look) }];
      }
      case "shoe":
        return [{ ...base, key, group: "soon", what: t(dealer.newCards), button: t(pit.look) }];
      case "insurance":
        return [{ ...base, key, group: "soon", what: t(phases[felt.phase]), amount: stake, button: t(pit.look) }];
    }
  });
}

/** What waits of a paper. */
export function ofPaper(at: AtTable, own: number | undefined, paper: PaperShown): Item {
  const base = { table: at.info.summary.name, about: [] as string[] };
  if ("slip" in paper) {
    const { slip } = paper;
    const amount = short(slip.amount, at.currency);
    const asked = slip.state === "asked";
    const words = asked
      ? slip.kind === "fill" ? pit.fillAsked : pit.creditAsked
      : slip.kind === "fill" ? pit.fillApproved : pit.creditApproved;
    return {
      ...base,
      key: `${at.id} paper ${slip.number} ${slip.state}`,
      group: "money",
      what: t(words, { amount }),
      about: [slip.asked.name],
      mine: asked && slip.asked.person !== own,
      since: slip.asked.at * 1_000,
      amount: slip.amount,
      button: t(asked ? pit.approve : pit.handOver),
      to: `/tables/${at.id}/tray/${slip.number}`,
    };
  }
  const { count } = paper;
  const last = count.counters.at(-1);
  const [what, button] =
    count.state === "agreed"
      ? [pit.countToSign, pit.sign]
      : count.state === "differs"
        ? [pit.countsDiffer, pit.countIt]
        : [pit.secondCount, pit.countIt];
  return {
    ...base,
    key: `${at.id} paper ${count.number} ${count.state}`,
    group: "money",
    what: t(what),
    about: last ? [last.name] : [],
    mine: count.state === "agreed" || last?.person !== own,
    since: last === undefined ? undefined : last.at * 1_000,
    button: t(button),
    to: `/tables/${at.id}/tray/${count.number}`,
  };
}

/** How many minutes before the time somebody is listed as due. */
const AHEAD_MINUTES = 5;

/** Somebody who deals at a table longer than they should, or nearly; minutes over, below zero before the time. */
export function relief(info: PitTable, minutes: number, now: number): { name: string; over: number }[] {
  const lowest = Math.min(...info.staff.map(({ rank }) => rank));
  return info.staff
    .filter(({ rank, since }) => rank === lowest && since != null)
    .map(({ name, since }) => ({ name, over: Math.floor((now - (since ?? now)) / 60_000) - minutes }))
    .filter(({ over }) => over >= -AHEAD_MINUTES);
}

/** A dispute that is open. */
export function ofCase(found: CaseListed, table: string): Item {
  return {
    key: `case ${found.id}`,
    group: "soon",
    table,
    what: t(pit.disputeOf, { id: found.id }),
    about: [found.words],
    mine: false,
    since: found.opened_at * 1_000,
    button: t(pit.openIt),
    to: `/cases/${found.id}`,
  };
}
