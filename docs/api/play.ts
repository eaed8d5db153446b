// Plays one round with the types that openapi-typescript makes of /api/openapi.json, and openapi-fetch.
//
// Usage: node play.js BASE TOKEN TABLE; the token is a player's own, and there is money in the wallet.

import { randomUUID } from "node:crypto";
import createClient from "openapi-fetch";
import type { components, paths } from "./schema.js";

type Action = components["schemas"]["Action"];
type Moment = components["schemas"]["Moment"];

const [base, token, number] = process.argv.slice(2) as [string, string, string];
const table = Number(number);
const client = createClient<paths>({ baseUrl: base, headers: { Authorization: `Bearer ${token}` } });

function good<T>(answer: { data?: T; error?: unknown }): T {
  if (answer.data === undefined) {
    console.error("refused:", answer.error);
    process.exit(1);
  }
  return answer.data;
}

const pause = () => new Promise((resolve) => setTimeout(resolve, 200));

async function command(action: Action, answers?: Moment) {
  const body = { id: randomUUID(), action, ...(answers && { answers }) };
  return good(await client.POST("/api/tables/{table}/commands", { params: { path: { table } }, body }));
}

async function view() {
  return good(await client.GET("/api/tables/{table}/view", { params: { path: { table } } }));
}

async function play() {
  const player = good(await client.GET("/api/me")).id;
  await command({ stand: { player } });
  await command({ "buy-in": { player, amount: 20_000, cash: false } });
  let shown = await view();
  while (shown.view.felt.phase !== "bets-open") {
    await pause();
    shown = await view();
  }
  const wager = { player, bet: "banker", amount: 1_000, in_chips: true, untimed: false };
  const receipt = await command({ place: wager }, shown.moment);
  console.log(`laid 10.00 on ${wager.bet} in round ${shown.moment.round}, line ${receipt.sequence}`);
  for (;;) {
    const [played] = good(await client.GET("/api/me/rounds")).rounds;
    if (played) {
      console.log(`round ${played.round} brought ${played.net}`);
      return;
    }
    await pause();
  }
}

void play();
