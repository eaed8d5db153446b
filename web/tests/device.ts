// A dealing device at a table: its token, and its reports one after the other.
import type { Page } from "@playwright/test";
import type { DeviceSignal } from "../src/api/schema";
import { expect, type Floor } from "./floor";

/** Gives a table a device; what it reports counts as read there. */
export async function deviceAt(floor: Floor, admin: Page, table: number): Promise<(signal: DeviceSignal) => Promise<void>> {
  const body = { label: `device ${table}`, for: { device: { table } } };
  const { token } = await floor.ask<{ token: string }>(admin, "POST", "/api/tokens", body);
  let sequence = 0;
  return async (signal) => {
    sequence += 1;
    const answer = await fetch(`${floor.url}/api/tables/${table}/device`, {
      method: "POST",
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      body: JSON.stringify({ sequence, signal }),
    });
    expect(answer.ok, `${JSON.stringify(signal)}: ${await answer.text()}`).toBe(true);
  };
}

/** A packet of Niu Niu: five cards to a box, or to the Dealer. */
export const packet = (to: string, cards: string): DeviceSignal => ({ "packet-read": { to, cards: cards.split(" ") } });
