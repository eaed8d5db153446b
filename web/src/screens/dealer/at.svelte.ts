// A table at hand: its live view for staff, what it is, and how to name what is in the view.
import { data, GET, problemOf } from "../../api/client";
import { type Given, Live } from "../../api/live.svelte";
import type {
  Action,
  Console,
  Desk,
  Face,
  Felt,
  Hidden,
  Holder,
  Pit,
  PlayerAccount,
  Problem,
  RulebookForm,
  TableInfo,
  Who,
} from "../../api/schema";
import { dealer } from "../../i18n/dealer";
import { named, t } from "../../i18n/text.svelte";
import { money, short, type Currency } from "../../lib/money";
import { attempt } from "../../lib/notices.svelte";
import { type Book, fetchRulebook, rulebook } from "../../lib/rulebooks.svelte";
import { session } from "../../lib/session.svelte";

/** Those who see more of a table than players do. */
export type StaffAudience = Console;

export class AtTable {
  readonly live: Live<StaffAudience>;

  constructor(
    readonly info: TableInfo,
    readonly audience: StaffAudience,
  ) {
    this.live = new Live<StaffAudience>(info.summary.id, audience);
    fetchRulebook(this.book).catch(() => undefined);
  }

  get id(): number {
    return this.info.summary.id;
  }
  get felt(): Felt | undefined {
    return this.live.view?.felt;
  }
  get desk(): Desk | undefined {
    return this.live.view?.desk;
  }
  get pit(): Pit | undefined {
    const view = this.live.view;
    return view !== undefined && "pit" in view ? view.pit : undefined;
  }
  get accounts(): PlayerAccount[] {
    const view = this.live.view;
    return view !== undefined && "accounts" in view ? view.accounts : [];
  }
  get hidden(): Hidden | undefined {
    const view = this.live.view;
    return view !== undefined && "hidden" in view ? view.hidden : undefined;
  }
  /** The rulebook, in the version that the table was opened with. */
  get book(): Book {
    return this.info.summary;
  }
  get form(): RulebookForm | undefined {
    return rulebook(this.book);
  }
  get currency(): Currency {
    return this.info.summary;
  }
  /** Staff deals here. */
  get byHand(): boolean {
    return this.info.summary.dealer === "staff";
  }
  /** Cards are reported, not shuffled by software. */
  get feeds(): boolean {
    return this.info.summary.cards === "feed";
  }
  get boxes(): boolean {
    return this.info.summary.family === "niu-niu";
  }

  money(amount: number): string {
    return money(amount, this.currency);
  }
  /** An amount in few signs: `164M`. */
  brief(amount: number): string {
    return short(amount, this.currency);
  }
  player(player: number): string {
    return this.live.names[player] ?? this.info.names[player] ?? t(dealer.guest, { id: player });
  }
  bet(bet: number): string {
    const info = this.info.bets.find((known) => known.bet === bet);
    return info === undefined ? "" : named(info.names);
  }
  /** The bet of a wager, with its box where there are several. */
  wager({ bet, area }: { bet: number; area?: number | null }): string {
    return this.bet(bet) + (this.boxes && area != null ? ` · ${t(dealer.box, { box: area })}` : "");
  }
  rank(rank: number): string {
    const id = this.info.ranks[rank];
    const known = this.form?.ranks.find((form) => form.id === id);
    return known === undefined ? (id ?? "") : named(known.names);
  }
  who(who: Who): string {
    if (who === "anybody") return t(dealer.anybody);
    return who === "nobody" ? t(dealer.nobody) : t(dealer.orAbove, { rank: this.rank(who.rank) });
  }
  person(person: number): string {
    const me = session.me;
    return me?.id === person ? me.nickname || me.name : (this.live.names[person] ?? t(dealer.person, { id: person }));
  }
  /** Whose hand of Niu Niu it is. */
  holder(holder: Holder): string {
    return holder === "dealer" ? t(dealer.theDealer) : t(dealer.box, { box: holder.slice(3) });
  }
  /** Where a player is: the seat, or the seat behind which they stand. */
  place(player: number): string {
    const seat = this.felt?.seats.find((seat) => seat.player === player);
    if (seat?.seat != null) return t(dealer.seat, { seat: seat.seat });
    return seat?.behind != null ? t(dealer.behind, { seat: seat.behind }) : t(dealer.standing);
  }

  /** Gives a command and shows why it was refused, if it was. Whether it went well. */
  give(action: Action, given: Given = {}): Promise<boolean> {
    return attempt(() => this.#taken(action, given), this.info.summary);
  }
  /** Gives a command for a form, which tells itself what was refused. */
  async ask(action: Action, given: Given = {}): Promise<Problem | undefined> {
    try {
      await this.#taken(action, given);
      return undefined;
    } catch (thrown) {
      return problemOf(thrown);
    }
  }
  /** What is given next answers the table as this one left it, so it waits until the view shows that. */
  async #taken(action: Action, given: Given): Promise<void> {
    const as = this.audience === "surveillance" ? "surveillance" : "staff";
    const { sequence } = await this.live.command(action, { as, ...given });
    await this.live.shows(sequence);
  }
  close(): void {
    this.live.close();
  }
}

/** The fullest first. */
const AUDIENCES: readonly StaffAudience[] = ["pit", "dealer", "surveillance"];

/** A table with its live view, or nothing for those who are no staff there. */
export async function openTable(table: number, wanted?: StaffAudience): Promise<AtTable | undefined> {
  const info = await data(GET("/api/tables/{table}", { params: { path: { table } } }));
  const audience = wanted ?? AUDIENCES.find((audience) => info.summary.consoles.includes(audience));
  return audience === undefined ? undefined : new AtTable(info, audience);
}

/** The card of a face that is up. */
export function cardOf(face: Face): string | undefined {
  return face === "down" ? undefined : face.up;
}

/** By what a wager is known while others come and go. */
export function wagerKey({ player, bet, area }: { player: number; bet: number; area?: number | null }): string {
  return `${player} ${bet} ${area ?? ""}`;
}
