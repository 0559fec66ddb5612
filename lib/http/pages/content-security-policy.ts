interface PagePolicy {
  /** Fresh for every answer; the page's scripts carry it. */
  nonce: string;
  development: boolean;
}

/**
 * The Content Security Policy of a page (CSP Level 3). Scripts run when they carry the nonce, or when one that does
 * loads them; browsers too old for that take this origin's. Mantine sets `style` attributes, to which no nonce applies,
 * so styles may be inline: they run nothing. Forms lead to this origin, and so does every redirect that follows one:
 * `leadAway` is how a browser gets from here to another.
 */
export function pagePolicy({ nonce, development }: PagePolicy): string {
  return [
    "default-src 'self'",
    `script-src 'self' 'nonce-${nonce}' 'strict-dynamic'${development ? " 'unsafe-eval'" : ""}`,
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "object-src 'none'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "form-action 'self'",
  ].join("; ");
}

/**
 * The policy of every other answer: JSON, files, redirects, and the plain pages of `html-page.ts`, which have a style
 * sheet and nothing else.
 */
export const PLAIN_POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'";
