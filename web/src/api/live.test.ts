import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

/** A line that the test holds the other end of. */
class Line {
  static CONNECTING = 0;
  static OPEN = 1;
  static all: Line[] = [];
  readyState = Line.CONNECTING;
  sent: string[] = [];
  onopen: (() => void) | undefined;
  onclose: (() => void) | undefined;
  onmessage: ((message: { data: string }) => void) | undefined;
  constructor(readonly url: string) {
    Line.all.push(this);
  }
  send(text: string): void {
    this.sent.push(text);
  }
  close(): void {
    this.readyState = 3;
    this.onclose?.();
  }
  open(): void {
    this.readyState = Line.OPEN;
    this.onopen?.();
  }
  say(message: object): void {
    this.onmessage?.({ data: JSON.stringify(message) });
  }
  commands(): { id: string; action: unknown }[] {
    return this.sent.filter((text) => text !== "beat").map((text) => JSON.parse(text) as { id: string; action: unknown });
  }
  beats(): number {
    return this.sent.filter((text) => text === "beat").length;
  }
}

const page = new EventTarget();
vi.stubGlobal("WebSocket", Line);
vi.stubGlobal("location", { protocol: "http:", host: "floor" });
vi.stubGlobal("document", Object.assign(new EventTarget(), { visibilityState: "visible" }));
vi.stubGlobal("addEventListener", page.addEventListener.bind(page));
vi.stubGlobal("fetch", async () => ({ status: 200 }));
const { Live } = await import("./live.svelte");

const newest = (): Line => Line.all.at(-1) as Line;
const after = (milliseconds: number) => vi.advanceTimersByTimeAsync(milliseconds);

describe("a live table", () => {
  beforeEach(() => {
    vi.useFakeTimers();
    vi.spyOn(Math, "random").mockReturnValue(0);
    Line.all = [];
  });
  afterEach(() => void vi.useRealTimers());

  function opened(deadline: number | null = null): InstanceType<typeof Live<"public">> {
    const live = new Live(1, "public");
    newest().open();
    newest().say({ type: "view", sequence: 4, at: Date.now(), deadline, audience: "public", view: { felt: { round: 1 } } });
    return live;
  }
  /** Answers every beat for a while. */
  async function alive(milliseconds: number): Promise<void> {
    for (let at = 0; at < milliseconds; at += 100) {
      const before = newest().beats();
      await after(100);
      if (newest().beats() > before) newest().say({ type: "beat", at: Date.now() });
    }
  }

  it("stays open as long as it answers, however little happens", async () => {
    const live = opened();
    await alive(20_000);
    expect([live.line, Line.all.length]).toEqual(["open", 1]);
    live.close();
  });

  it("is lost within three seconds of silence, without anything being asked of it", async () => {
    const live = opened();
    await alive(1_000);
    const began = Date.now();
    while (live.line === "open" && Date.now() - began < 10_000) await after(50);
    expect(live.line).toBe("lost");
    expect(Date.now() - began).toBeLessThanOrEqual(3_000);
    live.close();
  });

  it("is open again when it was only slow, and made anew when it stays silent", async () => {
    const live = opened();
    await after(2_500);
    expect(live.line).toBe("lost");
    newest().say({ type: "beat", at: Date.now() });
    expect([live.line, Line.all.length]).toEqual(["open", 1]);
    await after(8_000);
    expect(Line.all.length).toBe(2);
    expect(newest().url).toContain("resume=4");
    live.close();
  });

  it("sends what had no answer again with the same id, and no more once it is answered", async () => {
    const live = opened();
    const asked = live.command("settle");
    const [first] = newest().commands();
    newest().close();
    await after(300);
    newest().open();
    expect(newest().commands()).toEqual([first]);
    newest().say({ type: "answer", id: first?.id, sequence: 5, at: 9 });
    expect(await asked).toEqual({ sequence: 5, at: 9 });
    newest().close();
    await after(300);
    newest().open();
    expect(newest().commands()).toEqual([]);
    live.close();
  });

  it("fails what waits when it is left", async () => {
    const live = opened();
    const asked = live.command("settle");
    live.close();
    await expect(asked).rejects.toMatchObject({ problem: { code: "left" } });
  });

  it("waits for a line of the journal until the view has it", async () => {
    const live = opened();
    const order: string[] = [];
    void live.shows(4).then(() => order.push("had"));
    void live.shows(6).then(() => order.push("six"));
    await after(0);
    newest().say({ type: "change", from: 4, sequence: 5, at: Date.now(), change: {} });
    await after(0);
    expect(order).toEqual(["had"]);
    newest().say({ type: "change", from: 5, sequence: 7, at: Date.now(), change: {} });
    await after(0);
    expect(order).toEqual(["had", "six"]);
    live.close();
  });

  it("lets go of who waits when the table is left or closed to us", async () => {
    const live = opened();
    const waited = live.shows(99);
    newest().say({ type: "refused", id: null, problem: { status: 403, code: "forbidden", detail: "" } });
    await waited;
    expect(live.refused).toBeDefined();
    live.close();
  });

  it("asks for the whole view when it missed a change", async () => {
    const live = opened();
    newest().say({ type: "change", from: 5, sequence: 6, at: Date.now(), change: { felt: { round: 9 } } });
    await after(300);
    expect(newest().url).not.toContain("resume");
    expect(live.sequence).toBe(4);
    live.close();
  });

  it("knows when its clock has run out, also when the view was resumed", async () => {
    const live = opened(Date.now() + 1_000);
    expect(live.isOver).toBe(false);
    await alive(1_100);
    expect(live.isOver).toBe(true);
    newest().close();
    await after(300);
    newest().open();
    newest().say({ type: "resumed", sequence: 4, at: Date.now(), deadline: Date.now() + 700 });
    expect([live.line, live.isOver, live.deadline]).toEqual(["open", false, Date.now() + 700]);
    await alive(800);
    expect(live.isOver).toBe(true);
    live.close();
  });

  it("does not come back at the same time as everybody else", async () => {
    const live = opened();
    vi.spyOn(Math, "random").mockReturnValue(0.8);
    newest().close();
    await after(400);
    expect(Line.all.length).toBe(1);
    await after(60);
    expect(Line.all.length).toBe(2);
    live.close();
  });
});
