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

/** As if the reader had typed the words into the field. */
export function searchFor(words: string): void {
  // `updateState` would tell nobody.
  store.setState({ ...store.getState(), query: words });
  selectFirst();
}

/** Opens the palette, or closes it where it is open. */
export function togglePalette(): void {
  toggle();
  selectFirst();
}
