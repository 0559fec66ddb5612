import { useDebouncedCallback } from "@mantine/hooks";
import { useEffect, useState } from "react";

/**
 * A text that takes effect when the reader pauses for `delay` milliseconds, or at once by `flush`. It follows what else
 * changes `value`: Back, or a button that clears it. A letter typed while the last text takes effect is not lost.
 */
export function useTypedText(value: string, delay: number, onTake: (text: string) => void) {
  const [typed, setTyped] = useState(value);
  const [seen, setSeen] = useState(value);
  const [taken, setTaken] = useState(value);
  if (value !== seen) {
    setSeen(value);
    if (value !== taken) {
      setTaken(value);
      setTyped(value);
    }
  }
  const take = useDebouncedCallback((text: string) => {
    setTaken(text);
    onTake(text);
  }, delay);
  // What was typed before something else changed `value` would change it back.
  useEffect(() => {
    if (typed === value && taken === value) take.cancel();
  }, [typed, value, taken, take]);
  const type = (text: string, clean: (raw: string) => string) => {
    setTyped(text);
    take(clean(text));
  };
  return { typed, type, flush: take.flush };
}
