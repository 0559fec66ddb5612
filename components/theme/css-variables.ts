import type { CSSVariablesResolver } from "@mantine/core";

const COLORS = ["pine", "rust", "amber", "sky", "gray"];

/**
 * The light variant of each color. Mantine's own is nearly black on dark surfaces, and its text too pale on light ones.
 * In a dark alert, dimmed text and links have the contrast of texts too (WCAG 2.2, 1.4.3).
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
    [`${own}-light`, `color-mix(in srgb, var(${own}-5) 19%, transparent)`],
    [`${own}-light-hover`, `color-mix(in srgb, var(${own}-5) 32%, transparent)`],
    [`${own}-light-color`, `var(${own}-2)`],
  ];
}

/** Placeholders tell what to type, so they have the contrast of texts (WCAG 2.2, 1.4.3). */
const PLACEHOLDER = { "--mantine-color-placeholder": "var(--mantine-color-dimmed)" };

export const cssVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    ...Object.fromEntries(COLORS.flatMap((color) => quiet(color, "light"))),
    "--mantine-color-error": "var(--mantine-color-rust-6)",
    // By the frames of fields and boxes one sees that there is something to fill in or tick (WCAG 2.2, 1.4.11).
    "--field-border": "#8a8479",
    ...PLACEHOLDER,
    // Mantine's own is the color of the page.
    "--code-bg": "var(--mantine-color-gray-2)",
  },
  dark: {
    ...Object.fromEntries(COLORS.flatMap((color) => quiet(color, "dark"))),
    "--mantine-color-error": "var(--mantine-color-rust-3)",
    "--field-border": "#7d8884",
    ...PLACEHOLDER,
  },
});
