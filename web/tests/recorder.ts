// Records what a page shows as an animated picture: frames from the browser itself, written by `img2webp`.
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { CDPSession, Page } from "@playwright/test";

/** No more frames than so many a second, and none is looked at longer than that. */
const APART_MILLISECONDS = 125;
const LONGEST_MILLISECONDS = 900;
const SIZE = { maxWidth: 960, maxHeight: 600 };

interface Frame {
  data: string;
  /** In milliseconds, without the pauses. */
  at: number;
}

export class Recording {
  #frames: Frame[] = [];
  #isOn = false;
  #cut = 0;

  constructor(private readonly client: CDPSession) {
    client.on("Page.screencastFrame", ({ data, metadata, sessionId }) => {
      void this.client.send("Page.screencastFrameAck", { sessionId });
      const at = (metadata.timestamp ?? Date.now() / 1_000) * 1_000;
      if (this.#isOn && at - (this.#frames.at(-1)?.at ?? this.#cut) >= APART_MILLISECONDS) this.#frames.push({ data, at });
    });
  }

  async resume(): Promise<void> {
    this.#isOn = true;
    await this.client.send("Page.startScreencast", { format: "jpeg", quality: 92, ...SIZE });
  }

  async pause(): Promise<void> {
    this.#isOn = false;
    await this.client.send("Page.stopScreencast");
  }

  /** Ends it, and writes what was seen. */
  async write(path: string): Promise<void> {
    await this.pause();
    const folder = mkdtempSync(join(tmpdir(), "croupier-frames-"));
    const frames = this.#frames.flatMap(({ data, at }, number) => {
      const file = join(folder, `${number}.jpg`);
      writeFileSync(file, Buffer.from(data, "base64"));
      const lasts = Math.round((this.#frames[number + 1]?.at ?? at + LONGEST_MILLISECONDS) - at);
      return ["-d", String(Math.min(lasts, LONGEST_MILLISECONDS)), file];
    });
    execFileSync("img2webp", ["-loop", "0", "-min_size", "-lossy", "-q", "60", "-m", "4", ...frames, "-o", path], { stdio: "ignore" });
    rmSync(folder, { recursive: true });
  }
}

/** Begins to record. */
export async function record(page: Page): Promise<Recording> {
  const recording = new Recording(await page.context().newCDPSession(page));
  await recording.resume();
  return recording;
}
