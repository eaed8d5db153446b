// Bringing what the address names into view.

/** Scrolls an element to the middle when it is the one that the address names. */
export function anchored(isNamed: boolean): (node: HTMLElement) => void {
  return (node) => {
    if (!isNamed) return;
    // Going to an address scrolls to the top first.
    requestAnimationFrame(() => {
      node.scrollIntoView({ block: "center" });
      node.focus({ preventScroll: true });
    });
  };
}
