import { useEffect, useState } from "react";

import { paletteStore, selectFirst } from "@/components/shell/palette/palette-store";

interface Selection {
  /** The place of the selected item in the list. */
  selected: number;
  /** What the search field calls. */
  handlers: { onChange: () => void; onKeyDown: () => void };
}

/**
 * Which item of the palette is selected. Its store moves the selection without telling anybody, so it is read
 * after each key.
 */
export function useSelection(hasResults: boolean): Selection {
  const [selected, setSelected] = useState(0);
  // The store loses its selection in a moment without any result.
  useEffect(() => {
    if (hasResults) selectFirst();
  }, [hasResults]);
  const read = () => setSelected(Math.max(0, paletteStore.getState().selected));
  return { selected, handlers: { onChange: () => setSelected(0), onKeyDown: () => queueMicrotask(read) } };
}
