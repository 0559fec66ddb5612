import { DEFAULT_THEME } from "@mantine/core";
import { expect, test } from "vitest";

import { amber, night, pine, rust, sky, stone } from "@/components/theme/colors";
import { cssVariables } from "@/components/theme/css-variables";

const { light, dark } = cssVariables(DEFAULT_THEME);

/** Red, green and blue, of 255 each. */
type Rgb = readonly number[];

function rgbOf(hex = ""): Rgb {
  return [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16));
}

function luminanceOf(color: Rgb): number {
  const [red = 0, green = 0, blue = 0] = color.map((part) =>
    part <= 10 ? part / 255 / 12.92 : ((part / 255 + 0.055) / 1.055) ** 2.4,
  );
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** As WCAG 2.2 defines it, "contrast ratio". */
function contrast(one: Rgb, other: Rgb): number {
  const [darker = 0, lighter = 0] = [luminanceOf(one), luminanceOf(other)].toSorted((a, b) => a - b);
  return (lighter + 0.05) / (darker + 0.05);
}

test.each(Object.entries({ pine, rust, amber, sky, gray: stone }))(
  "dimmed text and links can be read in a dark alert of the color %s (WCAG 2.2, 1.4.3)",
  (name, tones) => {
    const [, percent] = /-5\) (\d+)%, transparent\)$/.exec(dark[`--mantine-color-${name}-light`] ?? "") ?? [];
    const [color, paper] = [rgbOf(tones[5]), rgbOf(night[7])];
    const share = Number(percent) / 100;
    const behind = paper.map((part, at) => part + ((color[at] ?? 0) - part) * share);
    // Mantine's colors of dimmed text and of links.
    for (const letters of [night[2], pine[4]]) expect(contrast(rgbOf(letters), behind)).toBeGreaterThanOrEqual(4.5);
  },
);

test("the frame of a field is told from the field and from the page (WCAG 2.2, 1.4.11)", () => {
  const grounds = { light: ["#ffffff", stone[0]], dark: [night[6], night[7], night[8]] };
  for (const [scheme, variables] of Object.entries({ light, dark }))
    for (const ground of grounds[scheme as keyof typeof grounds])
      expect(contrast(rgbOf(variables["--field-border"]), rgbOf(ground))).toBeGreaterThanOrEqual(3);
});
