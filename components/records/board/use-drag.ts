import { type RefObject, useEffect, useRef, useState } from "react";

/** Lets an element be dragged, under a name that other programs may take as text. */
export function useDraggable<Item extends HTMLElement>(
  name: string,
  onDrag: (isDragged: boolean) => void,
): RefObject<Item | null> {
  const ref = useRef<Item>(null);
  useEffect(() => {
    const end = new AbortController();
    ref.current?.addEventListener("dragstart", ({ dataTransfer }) => take(dataTransfer), end);
    ref.current?.addEventListener("dragend", () => onDrag(false), end);
    function take(data: DataTransfer | null): void {
      data?.setData("text/plain", name);
      if (data) data.effectAllowed = "move";
      onDrag(true);
    }
    return () => end.abort();
  }, [name, onDrag]);
  return ref;
}

/** Lets what is dragged be dropped on an element, while it is a target. `isOver` tells that it would be dropped now. */
export function useDropTarget<Place extends HTMLElement>(isTarget: boolean, onDrop: () => void) {
  const ref = useRef<Place>(null);
  const [isOver, setOver] = useState(false);
  useEffect(() => {
    const place = ref.current;
    if (!isTarget || !place) return undefined;
    const end = new AbortController();
    const over = (event: DragEvent) => {
      event.preventDefault();
      setOver(true);
    };
    const leave = ({ relatedTarget }: DragEvent) => {
      if (!(relatedTarget instanceof Node && place.contains(relatedTarget))) setOver(false);
    };
    const drop = (event: DragEvent) => {
      event.preventDefault();
      setOver(false);
      onDrop();
    };
    place.addEventListener("dragover", over, end);
    place.addEventListener("dragleave", leave, end);
    place.addEventListener("drop", drop, end);
    return () => end.abort();
  }, [isTarget, onDrop]);
  return { ref, isOver: isTarget && isOver };
}
