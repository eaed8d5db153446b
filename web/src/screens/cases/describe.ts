// Parts of a case in words.
import type { Actor, CaseChange, CaseEnd, Evidence, Ground, RankForm } from "../../api/schema";
import { cases, evidenceKinds, groundKinds, type Key } from "../../i18n/cases";
import { common } from "../../i18n/common";
import { named, t } from "../../i18n/text.svelte";
import { type Currency, signed } from "../../lib/money";
import { session } from "../../lib/session.svelte";
import { moment } from "../../lib/time";

/** The name of a member of a union that is a word or an object with one key. */
export function keyOf<T extends string | object>(value: T): Key<T> {
  return (typeof value === "string" ? value : Object.keys(value)[0]) as Key<T>;
}

/** Moments of a case are in seconds. */
export function seconds(at: number): string {
  return moment(at * 1_000);
}

export function personOf(person: number, rank: number | undefined, ranks: readonly RankForm[]): string {
  if (person === session.me?.id) return t(cases.you);
  const form = rank === undefined ? undefined : ranks[rank];
  return form === undefined ? `#${person}` : t(cases.byStaff, { rank: named(form.names), id: person });
}

export function actorOf(actor: Actor, ranks: readonly RankForm[]): string {
  if (actor === "device") return t(cases.byDevice);
  if (actor === "system") return t(cases.bySystem);
  if (actor === "surveillance") return t(cases.bySurveillance);
  if (actor === "display") return t(cases.byDisplay);
  if ("player" in actor) return t(cases.byPlayer, { id: actor.player });
  return personOf(actor.staff.person, actor.staff.acting ?? actor.staff.rank, ranks);
}

/** What a piece of evidence is, without its kind. */
export function evidenceText(evidence: Evidence): string {
  if ("round-file" in evidence) return t(common.roundOf, { n: evidence["round-file"].round });
  if ("journal" in evidence) return t(cases.journalLines, evidence.journal);
  if ("document" in evidence) return `${evidence.document.kind}: ${evidence.document.reference}`;
  return Object.values(evidence)[0]?.reference ?? "";
}

export function groundText(ground: Ground): string {
  const kind = t(groundKinds[keyOf(ground)]);
  if (ground === "statements") return kind;
  if ("rules" in ground) return `${kind}: § ${ground.rules.clause}`;
  if ("law" in ground) return `${kind}: ${ground.law.citation}`;
  if ("evidence" in ground) {
    return `${kind}: ${t(evidenceKinds[keyOf(ground.evidence)])}, ${evidenceText(ground.evidence)}`;
  }
  return `${kind}: ${Object.values(ground)[0]?.reference ?? ""}`;
}

export function endText(end: CaseEnd): string {
  if (end === "agreed") return t(cases.endAgreed);
  if (end === "no-complaint") return t(cases.endNoComplaint);
  return "settled" in end ? t(cases.endSettled, end.settled) : t(cases.endAnswered, end.answered);
}

/** What a step says beyond its name. */
export function changeText(change: CaseChange, ranks: readonly RankForm[], currency: Currency): string {
  if (typeof change === "string") return "";
  if ("opened" in change) return change.opened.about.words;
  if ("assigned" in change) return personOf(change.assigned.to.person, change.assigned.to.rank, ranks);
  if ("evidence-attached" in change) {
    const { evidence } = change["evidence-attached"];
    return `${t(evidenceKinds[keyOf(evidence)])}: ${evidenceText(evidence)}`;
  }
  if ("due-told" in change) {
    const { due } = change["due-told"];
    return "by" in due ? seconds(due.by) : t(cases.dueNotSaid, { reason: due["not-told"].reason });
  }
  if ("decided" in change) return change.decided.reasoning;
  if ("corrections-posted" in change) {
    const { corrections } = change["corrections-posted"].posted;
    return corrections.map(([, { player, amount }]) => `${t(cases.of, { id: player })} ${signed(amount, currency)}`).join(", ");
  }
  if ("helper-named" in change) return personOf(change["helper-named"].helper, undefined, ranks);
  if ("complaint-filed" in change) return change["complaint-filed"].reference;
  return Object.values(change)[0]?.words ?? "";
}
