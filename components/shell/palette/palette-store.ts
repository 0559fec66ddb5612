import { createSpotlight } from "@mantine/spotlight";

/** Opens and closes the command palette from anywhere in the frame. */
export const [paletteStore, palette] = createSpotlight();
