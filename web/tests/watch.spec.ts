// Surveillance: the feed of exceptions, a round step by step with what lay face down, bookmarks, ratings and alarms.
import type { ExceptionList, RatingList, RoundStory } from "../src/api/schema";
import { BACCARAT, bets, openByHand, sits, WITNESS } from "./by-hand";
import { expect, noViolations, test } from "./floor";

test("a card put right after the result is in the feed, and its round is replayed step by step", async ({ enter, floor }) => {
  const table = await openByHand(floor, enter, "hoiana-baccarat/commission", BACCARAT);
  const [dealer, guest] = [await enter("dealer"), await enter("player")];
  const player = await sits(floor, guest, table, 3);
  for (const action of [
    { "load-shoe": {} }, "record-shuffle", { "cut-cards": {} }, { burn: { count: 1, cards: [] } }, "open-bets",
  ] as never[]) {
    await floor.command(dealer, table, action);
  }
  await bets(floor, guest, table, 0);
  await floor.command(dealer, table, "close-bets" as never);
  for (const card of ["9S", "KD", "8S", "7H"]) {
    await floor.command(dealer, table, { draw: { card, exposed: false } } as never);
  }
  const correction = { correct: { draw: 3, card: "9C", because: { reason: "keyed as an eight" } } };
  await floor.command(dealer, table, correction as never, { witness: WITNESS });
  await floor.command(dealer, table, "settle" as never);
  // A finished round is kept with the next line.
  await floor.command(dealer, table, "open-bets" as never);

  const watcher = await enter("surveillance", { viewport: { width: 1280, height: 800 } });
  await watcher.goto("/watch");
  const feed = watcher.getByRole("region", { name: "Exceptions" });
  const line = feed.getByRole("listitem").getByRole("button", { name: /Corrected after the result/ }).first();
  await expect(line).toContainText("8S became 9C");
  await line.click();

  // The story begins where the card was put right, with the card before it beside.
  const replay = watcher.getByRole("article", { name: "Replay" });
  await expect(replay.getByRole("heading", { level: 2 })).toContainText("Round 1: Corrected after the result");
  const now = replay.locator("li[aria-current=step]");
  await expect(now).toContainText("card 3 was taken for 8S and is 9C");
  await expect(replay.getByRole("img", { name: "9 of clubs" })).toBeVisible();
  // Back to the bets: no card lies there, and the wager does.
  for (let back = 0; back < 5; back += 1) await watcher.keyboard.press("j");
  await expect(now).toContainText("no more bets");
  await expect(replay.getByRole("img", { name: / of (spades|hearts|diamonds|clubs)$/ })).toHaveCount(0);
  // And forward to the mark again.
  await watcher.keyboard.press("]");
  await expect(now).toContainText("is 9C");
  await expect(now.getByRole("button", { name: /^§ / }).first()).toBeVisible();

  // The dealer and the wagers are those of the record.
  const path = `/api/watch/tables/${table}/rounds/1`;
  const story = await floor.ask<RoundStory>(watcher, "GET", path);
  expect(story.steps.at(-1)?.felt.wagers[0]).toMatchObject({ player, stake: 500_000 });
  await expect(watcher.getByRole("complementary").getByText("Dealer", { exact: true })).toBeVisible();

  // A place to come back to, with a note; it is there after a reload, and can be removed.
  await watcher.getByRole("textbox", { name: "Note" }).fill("Camera 6 shows an eight");
  await watcher.getByRole("button", { name: "Bookmark", exact: true }).click();
  await expect(watcher.getByText("Camera 6 shows an eight")).toBeVisible();
  await watcher.goto(`/watch?table=${table}&round=1`);
  await expect(watcher.getByText("Camera 6 shows an eight")).toBeVisible();
  await noViolations(watcher);
  await watcher.getByRole("button", { name: "Remove" }).click();
  await expect(watcher.getByText("Camera 6 shows an eight")).toHaveCount(0);

  // Nobody else is shown any of it, and the page does not scroll.
  await expect(await floor.ask<ExceptionList>(watcher, "GET", `/api/watch/exceptions?table=${table}`)).toMatchObject({
    counts: { "corrected-after-result": 1 },
  });
  expect((await dealer.request.get(`${floor.url}/api/watch/exceptions`)).status()).toBe(403);
  for (const size of [{ width: 1024, height: 768 }, { width: 1280, height: 800 }, { width: 1920, height: 1080 }]) {
    await watcher.setViewportSize(size);
    const over = await watcher.evaluate(() => document.documentElement.scrollHeight - innerHeight);
    expect(over, `${size.width}`).toBeLessThanOrEqual(1);
  }
});

test("ratings are there for those with the right, and alarms say their rate of false ones", async ({ enter, floor }) => {
  const manager = await enter("shift-manager");
  await expect
    .poll(async () => (await floor.ask<RatingList>(manager, "GET", "/api/watch/ratings")).ratings.length, { timeout: 60_000 })
    .toBeGreaterThan(2);
  await manager.goto("/watch/ratings");
  await expect(manager.getByRole("columnheader", { name: "Theoretical win" })).toBeVisible();
  await expect(manager.getByRole("table").getByRole("row").nth(2)).toBeVisible();
  await noViolations(manager);
  await manager.goto("/watch");
  await expect(manager.getByText("This is for surveillance and auditors.")).toBeVisible();
  const auditor = await enter("auditor");
  await auditor.goto("/watch/alarms");
  await expect(auditor.getByText(/once in 10000 or less/)).toBeVisible();
  await expect(auditor.getByRole("table").getByRole("row").nth(1)).toBeVisible();
  await noViolations(auditor);
});
