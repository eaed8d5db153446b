// The way to the entrance, and back from it.

/** Where one signs in to come back to a screen; the lobby is where one comes anyway. */
export function entranceFrom(path: string): string {
  return path === "/" ? "/sign-in" : `/sign-in?to=${encodeURIComponent(path)}`;
}

/** Where the address of the entrance says to go then; nothing unless it is a path of ours. */
export function backTo(search: string): string | undefined {
  const to = new URLSearchParams(search).get("to") ?? "";
  // Browsers read `//host` and `/\host` as another house, and pass over tabs and ends of lines.
  return /^\/(?![/\\])[^\s\\]*$/.test(to) ? to : undefined;
}
