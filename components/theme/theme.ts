import { createTheme } from "@mantine/core";

import { amber, night, pine, rust, sky, stone } from "@/components/theme/colors";

/** Beside the shipped font (`fonts.ts`), those of the reader's system: nothing is fetched from elsewhere. */
const FONTS = "var(--font-latin-ext), var(--font-latin), system-ui, sans-serif";

/** Titles of dialogs look like headings. */
const DIALOG_TITLE = {
  fontFamily: "var(--mantine-font-family-headings)",
  fontSize: "1.25rem",
  fontWeight: 600,
  lineHeight: 1.3,
};

/** What dialogs and drawers have in common. The head of one is no head of the page, as its element would say. */
const OVERLAY = { closeButtonProps: { "aria-label": "Close" }, attributes: { header: { role: "presentation" } } };

/** The look of every page. */
export const theme = createTheme({
  colors: { pine, rust, amber, sky, gray: stone, dark: night },
  primaryColor: "pine",
  primaryShade: { light: 7, dark: 6 },
  black: "#1f2422",
  fontFamily: FONTS,
  headings: {
    fontFamily: FONTS,
    fontWeight: "650",
    textWrap: "balance",
    sizes: {
      h1: { fontSize: "1.75rem", lineHeight: "1.2" },
      h2: { fontSize: "1.25rem", lineHeight: "1.3" },
      h3: { fontSize: "1.0625rem", lineHeight: "1.35" },
      h4: { fontSize: "1rem", lineHeight: "1.4" },
    },
  },
  // Close buttons are icons, which need a name.
  components: {
    Modal: { defaultProps: { ...OVERLAY, centered: true }, styles: { title: DIALOG_TITLE } },
    Drawer: { defaultProps: OVERLAY, styles: { title: DIALOG_TITLE } },
    // Badges have normal case, on one line.
    Badge: { defaultProps: { variant: "light", tt: "none", fw: 600, miw: "max-content" } },
    // Browsers give it a margin, and its frame would stand inside the fields around it.
    Fieldset: { styles: { root: { marginInline: 0 } } },
    // As flex items and inline blocks these are as wide as their longest word otherwise: a name of 255 characters.
    Alert: { styles: { body: { minWidth: 0 } } },
    InputWrapper: { styles: { label: { overflowWrap: "anywhere" } } },
    Notification: { defaultProps: { closeButtonProps: { "aria-label": "Close" } } },
  },
  defaultRadius: "md",
  cursorType: "pointer",
  respectReducedMotion: true,
  autoContrast: true,
});
