// A list that comes page by page: what came before stays while more is fetched, and when that fails.
import { problemOf } from "../api/client";
import type { Problem } from "../api/schema";

interface Page<T, At> {
  list: T[];
  next?: At | null | undefined;
}

export class Pages<T, At> {
  /** What has come so far; nothing before the first page. */
  list = $state.raw<T[] | undefined>();
  /** Where the next page begins; nothing behind the last. */
  next = $state.raw<At | undefined>();
  problem = $state.raw<Problem | undefined>();
  busy = $state(false);
  #asked = 0;

  constructor(readonly fetch: (at?: At) => Promise<Page<T, At>>) {
    void this.load();
  }

  /** Fetches the page that begins at a place, or all anew from the first. */
  async load(at?: At): Promise<void> {
    const asked = ++this.#asked;
    this.busy = true;
    try {
      const page = await this.fetch(at);
      // Whoever asked for something else since then gets that.
      if (asked !== this.#asked) return;
      this.list = at === undefined ? page.list : [...(this.list ?? []), ...page.list];
      this.next = page.next ?? undefined;
      this.problem = undefined;
    } catch (thrown) {
      if (asked === this.#asked) this.problem = problemOf(thrown);
    } finally {
      if (asked === this.#asked) this.busy = false;
    }
  }
}
