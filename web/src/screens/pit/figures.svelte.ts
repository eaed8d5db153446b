// The figures of the pit as they are now, asked for every few seconds.
import { data, GET } from "../../api/client";
import type { CaseListed, PitShown, PitTable } from "../../api/schema";

const EVERY_MILLISECONDS = 3_000;
const STALE_MILLISECONDS = 12_000;

export class Figures {
  now = $state.raw<PitShown | undefined>();
  cases = $state.raw<CaseListed[]>([]);
  /** The clock, once a second. */
  time = $state(Date.now());
  #answered = $state(0);
  #timers: ReturnType<typeof setInterval>[] = [];
  #isAsking = false;

  begin(): void {
    this.#timers = [
      setInterval(() => (this.time = Date.now()), 1_000),
      setInterval(() => void this.ask(), EVERY_MILLISECONDS),
    ];
    void this.ask();
  }
  end(): void {
    for (const timer of this.#timers) clearInterval(timer);
  }
  async ask(): Promise<void> {
    if (this.#isAsking || document.hidden) return;
    this.#isAsking = true;
    try {
      const [now, cases] = await Promise.all([data(GET("/api/pit")), data(GET("/api/cases", { params: { query: {} } }))]);
      this.now = now;
      this.cases = cases.filter(({ state }) => state !== "closed");
      this.#answered = Date.now();
    } catch {
      // What was last known stays, and says of when it is.
    } finally {
      this.#isAsking = false;
    }
  }
  of(table: number): PitTable | undefined {
    return this.now?.tables.find((known) => known.table === table);
  }
  get isStale(): boolean {
    return this.#answered > 0 && this.time - this.#answered > STALE_MILLISECONDS;
  }
}
