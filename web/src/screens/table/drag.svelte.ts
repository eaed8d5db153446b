// Dragging a chip from the rack onto an area. A tap stays a tap; areas say where they are with `data-area`.
import type { Attachment } from "svelte/attachments";

interface Carried {
  /** It was dropped on the area of this name. */
  ondrop: (area: string) => void;
  onpick: () => void;
}

/** How far a finger goes before a tap becomes a drag. */
const THRESHOLD = 8;

function areaAt(x: number, y: number): HTMLElement | null {
  return document.elementFromPoint(x, y)?.closest<HTMLElement>("[data-area]") ?? null;
}

export function carried({ ondrop, onpick }: Carried): Attachment<HTMLElement> {
  return (node) => {
    let ghost: HTMLElement | undefined;
    const down = (start: PointerEvent): void => {
      if (start.button !== 0) return;
      let over: HTMLElement | null = null;
      const box = node.getBoundingClientRect();
      const move = (event: PointerEvent): void => {
        const [dx, dy] = [event.clientX - start.clientX, event.clientY - start.clientY];
        if (ghost === undefined) {
          if (Math.hypot(dx, dy) < THRESHOLD) return;
          onpick();
          const drawn = node.querySelector("svg");
          ghost = document.createElement("div");
          if (drawn !== null) ghost.append(drawn.cloneNode(true));
          const { style } = ghost;
          style.position = "fixed";
          style.left = `${box.left}px`;
          style.top = `${box.top}px`;
          style.width = `${box.width}px`;
          style.zIndex = "60";
          style.pointerEvents = "none";
          style.willChange = "transform";
          document.body.append(ghost);
        }
        ghost.style.transform = `translate(${dx}px, ${dy}px) scale(1.08)`;
        const now = areaAt(event.clientX, event.clientY);
        if (now === over) return;
        over?.classList.remove("over");
        now?.classList.add("over");
        over = now;
      };
      const end = (event: PointerEvent): void => {
        node.removeEventListener("pointermove", move);
        node.removeEventListener("pointerup", end);
        node.removeEventListener("pointercancel", end);
        over?.classList.remove("over");
        if (ghost === undefined) return;
        ghost.remove();
        ghost = undefined;
        const area = event.type === "pointerup" ? areaAt(event.clientX, event.clientY)?.dataset["area"] : undefined;
        if (area !== undefined) ondrop(area);
      };
      node.setPointerCapture(start.pointerId);
      node.addEventListener("pointermove", move);
      node.addEventListener("pointerup", end);
      node.addEventListener("pointercancel", end);
    };
    node.addEventListener("pointerdown", down);
    return () => {
      node.removeEventListener("pointerdown", down);
      ghost?.remove();
    };
  };
}
