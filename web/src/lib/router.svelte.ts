// Which screen is shown: the path of the address, matched against a list of patterns.

let path = $state(location.pathname);
let hash = $state(location.hash);

addEventListener("popstate", () => {
  path = location.pathname;
  hash = location.hash;
});

export const here = {
  get path(): string {
    return path;
  },
  /** What stands behind `#`, without it. */
  get hash(): string {
    return decoded(hash.slice(1));
  },
};

/** A part of an address in plain letters; whatever somebody typed that is none stays as it is. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** Whoever shows a screen may be asked first before it is left by a link: it answers whether to go at once. */
let ask: ((to: string) => boolean) | undefined;

/** Asks before the screen is left by a link, until what is returned is called. */
export function asked(before: (to: string) => boolean): () => void {
  ask = before;
  return () => {
    if (ask === before) ask = undefined;
  };
}

/** Goes to another screen of ours. */
export function go(to: string, { replace = false } = {}): void {
  history[replace ? "replaceState" : "pushState"](null, "", to);
  path = location.pathname;
  hash = location.hash;
  scrollTo(0, 0);
}

/** Lets links inside an element change the screen without loading the page again. */
export function links(node: HTMLElement): { destroy(): void } {
  const follow = (event: MouseEvent): void => {
    const link = (event.target as Element).closest("a");
    const plain = !event.defaultPrevented && event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey;
    if (link === null || !plain || link.target !== "" || link.hasAttribute("download")) return;
    if (link.origin !== location.origin || link.pathname.startsWith("/api/")) return;
    event.preventDefault();
    const to = link.pathname + link.search + link.hash;
    if (ask === undefined || link.pathname === location.pathname || ask(to)) go(to);
  };
  node.addEventListener("click", follow);
  return { destroy: () => node.removeEventListener("click", follow) };
}

/** Calls the window like its screen, which has one h1, and moves the focus there when it was left on what is gone. */
export function titled(node: HTMLElement): { destroy(): void } {
  let heading: HTMLElement | null = null;
  const look = (): void => {
    const now = node.querySelector("h1");
    const name = now?.textContent.trim() ?? "";
    const title = name === "" ? "Croupier" : `${name} · Croupier`;
    if (document.title !== title) document.title = title;
    if (now === heading) return;
    // The first screen of a visit begins at the top, as any page does.
    if (heading !== null && now !== null && document.activeElement === document.body) {
      now.tabIndex = -1;
      now.focus({ preventScroll: true });
    }
    heading = now ?? heading;
  };
  const watch = new MutationObserver(look);
  watch.observe(node, { childList: true, subtree: true, characterData: true });
  return { destroy: () => watch.disconnect() };
}

/** The values in a path that has the shape of a pattern (`/tables/:table`), or nothing. */
export function matched(pattern: string, path: string): Record<string, string> | undefined {
  const wanted = pattern.split("/");
  const found = path.replace(/\/+$/, "").split("/");
  if (pattern === "/") return path === "/" ? {} : undefined;
  if (wanted.length !== found.length) return undefined;
  const values: Record<string, string> = {};
  for (const [at, part] of wanted.entries()) {
    const value = found[at] ?? "";
    if (part.startsWith(":")) values[part.slice(1)] = decoded(value);
    else if (part !== value) return undefined;
  }
  return values;
}
