import { createSpotlight } from "@mantine/spotlight";

const [store, { open, toggle }] = createSpotlight();

/** The state of the command palette: whether it is open, what is typed, which result is selected. */
export const paletteStore = store;

export function selectFirst(): void {
  store.updateState((state) => ({ ...state, selected: 0 }));
}

export function openPalette(): void {
  open();
  selectFirst();
}

/** Opens the palette, or closes it where it is open. */
export function togglePalette(): void {
  toggle();
  selectFirst();
}
