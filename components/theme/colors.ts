import type { MantineColorsTuple } from "@mantine/core";

/** Green, for controls. */
export const pine: MantineColorsTuple = [
  "#eef8f5",
  "#d7eee7",
  "#aedccf",
  "#80c7b4",
  "#56b09a",
  "#359a82",
  "#1f8069",
  "#176a57",
  "#125546",
  "#0d4237",
];

/** Red, for failures and dangers. */
export const rust: MantineColorsTuple = [
  "#fdf1ee",
  "#fadfd8",
  "#f3bcae",
  "#ea9581",
  "#df705a",
  "#d0523a",
  "#bb3f28",
  "#a0321e",
  "#832819",
  "#651f14",
];

/** Yellow, for warnings. */
export const amber: MantineColorsTuple = [
  "#fff8e6",
  "#fdecc3",
  "#f9d88a",
  "#f2c04f",
  "#e4a827",
  "#c98d12",
  "#a5710a",
  "#815706",
  "#644306",
  "#4a3206",
];

/** Blue, for information. */
export const sky: MantineColorsTuple = [
  "#eef5fb",
  "#d9e8f5",
  "#b1d0ea",
  "#85b5dc",
  "#5c99cc",
  "#3d80b8",
  "#2c69a0",
  "#235587",
  "#1c456e",
  "#163655",
];

/** Warm grays, so that large light surfaces look like paper. */
export const stone: MantineColorsTuple = [
  "#faf9f7",
  "#f3f1ed",
  "#e8e5df",
  "#d9d5cd",
  "#c2bdb3",
  "#9d978c",
  "#6b665d",
  "#57534b",
  "#3d3a35",
  "#26241f",
];

/** Greens that look almost black, for surfaces of the dark scheme. */
export const night: MantineColorsTuple = [
  "#dfe4e2",
  "#bcc4c1",
  "#9ca6a2",
  "#6b7672",
  "#414b48",
  "#343d3a",
  "#262e2c",
  "#1b2220",
  "#151b19",
  "#101513",
];
