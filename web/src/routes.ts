// The screens and their addresses. Each is loaded when it is first opened.
import type { Component } from "svelte";
import { matched } from "./lib/router.svelte";

/** What a screen is given: the values in its address. */
export interface Place {
  table?: string;
  round?: string;
  shoe?: string;
  case?: string;
  rulebook?: string;
  day?: string;
  paper?: string;
}

interface Route {
  path: string;
  screen: () => Promise<{ default: Component<Place> }>;
  /** Without the bar at the top: the whole window is the screen's. */
  bare?: true;
}

const ROUTES: readonly Route[] = [
  { path: "/", screen: () => import("./screens/lobby/Lobby.svelte") },
  { path: "/sign-in", screen: () => import("./screens/entrance/SignIn.svelte") },
  { path: "/sign-in/provider", screen: () => import("./screens/entrance/SignIn.svelte") },
  { path: "/first-run", screen: () => import("./screens/entrance/FirstRun.svelte") },
  { path: "/me", screen: () => import("./screens/me/Me.svelte") },
  { path: "/tables/:table", screen: () => import("./screens/table/PlayerTable.svelte") },
  { path: "/tables/:table/deal", screen: () => import("./screens/dealer/Dealer.svelte") },
  { path: "/tables/:table/pit", screen: () => import("./screens/pit/PitTable.svelte") },
  { path: "/tables/:table/tray", screen: () => import("./screens/pit/Tray.svelte") },
  { path: "/tables/:table/tray/:paper", screen: () => import("./screens/pit/Paper.svelte") },
  { path: "/tables/:table/watch", screen: () => import("./screens/watch/Watch.svelte") },
  { path: "/tables/:table/board", screen: () => import("./screens/board/Scoreboard.svelte"), bare: true },
  { path: "/tables/:table/rounds", screen: () => import("./screens/rounds/Rounds.svelte") },
  { path: "/tables/:table/rounds/:round", screen: () => import("./screens/rounds/Round.svelte") },
  { path: "/tables/:table/shoes/:shoe", screen: () => import("./screens/shoe/Shoe.svelte") },
  { path: "/pit", screen: () => import("./screens/pit/Pit.svelte") },
  { path: "/watch", screen: () => import("./screens/watch/Surveillance.svelte") },
  { path: "/watch/ratings", screen: () => import("./screens/watch/Ratings.svelte") },
  { path: "/watch/alarms", screen: () => import("./screens/watch/Alarms.svelte") },
  { path: "/cage", screen: () => import("./screens/cage/Cage.svelte") },
  { path: "/cases", screen: () => import("./screens/cases/Cases.svelte") },
  { path: "/cases/:case", screen: () => import("./screens/cases/CaseFile.svelte") },
  { path: "/lab", screen: () => import("./screens/lab/Lab.svelte") },
  { path: "/lab/design", screen: () => import("./screens/lab/Designer.svelte") },
  { path: "/rulebooks", screen: () => import("./screens/rulebooks/Rulebooks.svelte") },
  { path: "/rulebooks/:rulebook", screen: () => import("./screens/rulebooks/Rulebook.svelte") },
  { path: "/admin", screen: () => import("./screens/admin/Admin.svelte") },
  { path: "/audit", screen: () => import("./screens/audit/Audit.svelte") },
  { path: "/days", screen: () => import("./screens/days/Days.svelte") },
  { path: "/days/:day", screen: () => import("./screens/days/Day.svelte") },
];

/** The screen at an address, and the values in it. */
export function screenAt(path: string): { route: Route; place: Place } | undefined {
  for (const route of ROUTES) {
    const place = matched(route.path, path);
    if (place !== undefined) return { route, place };
  }
  return undefined;
}
