// Who is signed in, and what they are.
import { data, GET, POST, problemOf } from "../api/client";
import { forget, preferences } from "./leave";
import type { Back, Currency, DemoRole, FactorProof, Grant, Me, Right, SecondStep } from "../api/schema";

let me = $state.raw<Me | undefined>();
let demo = $state.raw<readonly DemoRole[]>([]);
let provider = $state<string | undefined>();
let firstRun = $state(false);
let currency = $state.raw<Currency>({ currency: "", decimals: 0 });
let known = $state(false);

const ASK_AGAIN_MILLISECONDS = 5_000;
let timer: ReturnType<typeof setTimeout> | undefined;

/** Takes the currency of the floor. The first table brings it: until then it is asked for again. */
function learn(told: Currency | null | undefined): void {
  clearTimeout(timer);
  if (told != null) currency = told;
  else timer = setTimeout(ask, ASK_AGAIN_MILLISECONDS);
}

function ask(): void {
  data(GET("/api/session"))
    .then((told) => learn(told.currency))
    .catch(() => learn(undefined));
}

export const session = {
  /** Whoever is signed in. */
  get me(): Me | undefined {
    return me;
  },
  /** Whether the server was asked yet. */
  get known(): boolean {
    return known;
  },
  /** Whether somebody is signed in who has a right. */
  may(right: Right): boolean {
    return me?.rights.includes(right) ?? false;
  },
  get isPlayer(): boolean {
    return me?.grants.includes("player") ?? false;
  },
  get isStaff(): boolean {
    return me?.grants.some((grant: Grant) => typeof grant === "object" && "staff" in grant) ?? false;
  },
  /** The roles of a demo, into which everybody may sign in; none elsewhere. */
  get demo(): readonly DemoRole[] {
    return demo;
  },
  /** What the identity provider is called by which staff may sign in, if there is one. */
  get provider(): string | undefined {
    return provider;
  },
  /** Whether there is no administrator yet. */
  get firstRun(): boolean {
    return firstRun;
  },
  /** What the money of the floor is counted in; a floor without tables has plain numbers. */
  get currency(): Currency {
    return currency;
  },
  /** Asks the server who is signed in; nobody is no fault. */
  async load(): Promise<void> {
    try {
      const told = await data(GET("/api/session"));
      me = told.me ?? undefined;
      demo = told.demo ?? [];
      provider = told.provider ?? undefined;
      firstRun = told.first_run;
      learn(told.currency);
    } finally {
      known = true;
    }
  },
  /** Signs in; with a second factor it comes back with what is asked for next, and nobody is in yet. */
  async signIn(name: string, password: string): Promise<SecondStep | undefined> {
    const told: Me | SecondStep = await data(POST("/api/sign-in", { body: { name, password } }));
    if ("half" in told) return told;
    me = told;
    return undefined;
  },
  /** The second step of a sign-in. */
  async second(half: string, proof: FactorProof): Promise<void> {
    me = await data(POST("/api/sign-in/second", { body: { half, proof } }));
  },
  /** Begins a sign-in by the identity provider: where the browser goes. */
  async toProvider(): Promise<string> {
    return (await data(POST("/api/sign-in/provider"))).address;
  },
  /** Comes back from there; as with a password, a second step may be next. */
  async fromProvider(body: Back): Promise<SecondStep | undefined> {
    const told: Me | SecondStep = await data(POST("/api/sign-in/provider/back", { body }));
    if ("half" in told) return told;
    me = told;
    return undefined;
  },
  async signInToDemo(role: DemoRole): Promise<void> {
    me = await data(POST("/api/demo/sign-in", { body: { role } }));
  },
  async signOut(): Promise<void> {
    const kept = preferences();
    try {
      await data(POST("/api/sign-out"));
    } catch (thrown) {
      // A session that is over already is what was asked for.
      if (problemOf(thrown).status !== 401) throw thrown;
    }
    forget(kept);
    me = undefined;
  },
  /** Takes what the server answered about ourselves. */
  is(now: Me): void {
    me = now;
  },
};
