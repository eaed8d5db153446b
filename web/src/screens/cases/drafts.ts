// What people fill in about a case, and the orders that it makes.
import type { CaseAct, CaseOrder, Correction, Evidence, Ground, PersonId } from "../../api/schema";
import type { Key } from "../../i18n/cases";
import { type Currency, parsed } from "../../lib/money";

export interface EvidenceDraft {
  kind: Key<Evidence>;
  table: number;
  round: number | undefined;
  from: number | undefined;
  to: number | undefined;
  reference: string;
  document: string;
}

export interface GroundDraft {
  kind: Key<Ground>;
  /** A clause, a reference or a citation. */
  text: string;
  /** The place of a piece of evidence in the case. */
  evidence: number;
}

export interface CorrectionDraft {
  player: number;
  amount: string;
  /** Whether the house pays. */
  gets: boolean;
}

/** Everything that any form of an act asks for. */
export interface Draft {
  words: string;
  person: PersonId | undefined;
  evidence: EvidenceDraft;
  /** Local time as a browser's field has it, or nothing if a reason is given. */
  due: string;
  reason: string;
  tellsDue: boolean;
  grounds: GroundDraft[];
  corrections: CorrectionDraft[];
}

/** What a case says that orders need. */
export interface Known {
  version: string;
  attached: readonly Evidence[];
  currency: Currency;
}

export function evidenceOf(draft: EvidenceDraft): Evidence {
  const { table, reference } = draft;
  switch (draft.kind) {
    case "round-file":
      return { "round-file": { table, round: draft.round ?? 0 } };
    case "journal":
      return { journal: { table, from: draft.from ?? 0, to: draft.to ?? 0 } };
    case "shoe-feed":
      return { "shoe-feed": { reference } };
    case "surveillance":
      return { surveillance: { reference } };
    case "published":
      return { published: { reference } };
    case "document":
      return { document: { kind: draft.document, reference } };
  }
}

export function groundOf({ kind, text, evidence }: GroundDraft, { version, attached }: Known): Ground | undefined {
  switch (kind) {
    case "rules":
      return { rules: { clause: text.trim(), version } };
    case "published":
      return { published: { reference: text } };
    case "procedures":
      return { procedures: { reference: text } };
    case "controls":
      return { controls: { reference: text } };
    case "statements":
      return "statements";
    case "surveillance":
      return { surveillance: { reference: text } };
    case "evidence": {
      const chosen = attached[evidence];
      return chosen && { evidence: chosen };
    }
    case "law":
      return { law: { citation: text } };
  }
}

/** The corrections, or nothing if an amount is none. */
export function correctionsOf(drafts: readonly CorrectionDraft[], currency: Currency): Correction[] | undefined {
  const made = drafts.map(({ player, amount, gets }) => {
    const value = parsed(amount, currency);
    return value === undefined || value === 0 ? undefined : { player, amount: gets ? value : -value };
  });
  return made.every((one) => one !== undefined) ? made : undefined;
}

/** The order that an act with its draft makes; nothing while something is missing. */
export function orderOf(act: CaseAct, draft: Draft, known: Known): CaseOrder | undefined {
  const { words, person } = draft;
  switch (act) {
    case "take-over":
    case "inform-surveillance":
    case "complete-gathering":
    case "agree":
    case "disagree":
    case "tell-right":
    case "wish-complaint":
    case "decline-complaint":
      return act;
    case "settle":
      return { settle: { words } };
    case "escalate":
      return { escalate: { words } };
    case "gather-fact":
      return { "gather-fact": { words } };
    case "hear-player":
      return { "hear-player": { words } };
    case "hear-staff":
      return { "hear-staff": { words } };
    case "miss-player":
      return { "miss-player": { words } };
    case "miss-staff":
      return { "miss-staff": { words } };
    case "ask-more-evidence":
      return { "ask-more-evidence": { words } };
    case "assign":
      // The server fills in the rank that the person has at the table.
      return person === undefined ? undefined : { assign: { to: { person, rank: 0 } } };
    case "name-helper":
      return person === undefined ? undefined : { "name-helper": { helper: person } };
    case "attach":
      return { attach: { evidence: evidenceOf(draft.evidence) } };
    case "tell-due": {
      if (!draft.tellsDue) return { "tell-due": { due: { "not-told": { reason: draft.reason } } } };
      const by = Math.floor(new Date(draft.due).getTime() / 1_000);
      return Number.isFinite(by) ? { "tell-due": { due: { by } } } : undefined;
    }
    case "decide": {
      const grounds = draft.grounds.map((ground) => groundOf(ground, known));
      const corrections = correctionsOf(draft.corrections, known.currency);
      if (corrections === undefined || !grounds.every((ground) => ground !== undefined)) return undefined;
      return { decide: { grounds, corrections, reasoning: words } };
    }
    case "post-corrections":
      return { "post-corrections": { through: "cage", transfers: [] } };
    case "file-complaint":
      return { "file-complaint": { reference: words } };
    case "answer-complaint": {
      const corrections = correctionsOf(draft.corrections, known.currency);
      return corrections && { "answer-complaint": { words, corrections, through: "cage", transfers: [] } };
    }
  }
}
