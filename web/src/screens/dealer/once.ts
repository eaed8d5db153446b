// A key that is held down presses a button once, where the next button would take its place.
export function once(event: KeyboardEvent): void {
  if (event.repeat) event.preventDefault();
}
