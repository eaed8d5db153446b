// Something that is fetched again and again: what was there before stays until the next is there.
import { problemOf } from "../../api/client";
import type { Problem } from "../../api/schema";

export class Kept<T> {
  value = $state.raw<T | undefined>();
  problem = $state.raw<Problem | undefined>();

  constructor(readonly fetch: () => Promise<T>) {
    void this.load();
  }

  async load(): Promise<void> {
    try {
      this.value = await this.fetch();
      this.problem = undefined;
    } catch (thrown) {
      this.problem = problemOf(thrown);
    }
  }
}
