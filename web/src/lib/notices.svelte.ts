// Short notices that come and go: what went well, and what was refused and why.
import { LEFT, problemOf } from "../api/client";
import type { Problem } from "../api/schema";
import type { Currency } from "./money";

/** The table that something is about: its summary will do. */
export interface About extends Currency {
  rulebook: string;
  rulebook_hash: string;
}

export interface Notice {
  id: number;
  words?: string;
  problem?: Problem;
  about?: About | undefined;
}

const SECONDS = 7;
let next = 1;
let timers: ReturnType<typeof setTimeout>[] = [];
let shown = $state<Notice[]>([]);

export const notices = {
  get all(): Notice[] {
    return shown;
  },
  say(words: string): void {
    add({ id: next++, words });
  },
  /** Shows whatever was thrown; about a table, its amounts and clauses can be told. */
  refuse(thrown: unknown, about?: About): void {
    add({ id: next++, problem: problemOf(thrown), about });
  },
  dismiss(id: number): void {
    shown = shown.filter((notice) => notice.id !== id);
  },
  /** Somebody reads: nothing goes away. */
  hold(): void {
    for (const timer of timers) clearTimeout(timer);
    timers = [];
  },
  /** Nobody reads any more. */
  release(): void {
    notices.hold();
    for (const notice of shown) pass(notice);
  },
};

function add(notice: Notice): void {
  shown = [...shown.slice(-3), notice];
  pass(notice);
}

/** Lets a notice go after a while. */
function pass({ id }: Notice): void {
  timers.push(setTimeout(() => notices.dismiss(id), SECONDS * 1_000));
}

/** Does something and shows why it failed, if it did and somebody is still there. Whether it went well. */
export async function attempt(work: () => Promise<unknown>, about?: About): Promise<boolean> {
  try {
    await work();
    return true;
  } catch (thrown) {
    if (problemOf(thrown) !== LEFT) notices.refuse(thrown, about);
    return false;
  }
}
