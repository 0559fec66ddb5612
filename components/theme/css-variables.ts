import type { CSSVariablesResolver } from "@mantine/core";

const COLORS = ["pine", "rust", "amber", "sky", "gray"];

/**
 * The light variant of each color. Mantine's own is nearly black on dark surfaces, and its text too pale on light ones.
 */
function quiet(color: string, scheme: "light" | "dark"): [name: string, value: string][] {
  const own = `--mantine-color-${color}`;
  if (scheme === "light") {
    return [
      [`${own}-light`, `var(${own}-1)`],
      [`${own}-light-hover`, `var(${own}-2)`],
      [`${own}-light-color`, `var(${own}-8)`],
    ];
  }
  return [
    [`${own}-light`, `color-mix(in srgb, var(${own}-5) 24%, transparent)`],
    [`${own}-light-hover`, `color-mix(in srgb, var(${own}-5) 32%, transparent)`],
    [`${own}-light-color`, `var(${own}-2)`],
  ];
}

export const cssVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    ...Object.fromEntries(COLORS.flatMap((color) => quiet(color, "light"))),
    "--mantine-color-error": "var(--mantine-color-rust-6)",
    // Mantine's own is the color of the page.
    "--code-bg": "var(--mantine-color-gray-2)",
  },
  dark: {
    ...Object.fromEntries(COLORS.flatMap((color) => quiet(color, "dark"))),
    "--mantine-color-error": "var(--mantine-color-rust-3)",
  },
});
