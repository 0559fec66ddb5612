interface PagePolicy {
  /** New for every response; the page's scripts carry it. */
  nonce: string;
  development: boolean;
}

/**
 * The Content Security Policy of a page (CSP Level 3). A script runs if it carries the nonce, or if such a script loads
 * it; older browsers fall back to this origin's scripts. Mantine sets `style` attributes, to which no nonce applies, so
 * inline styles are allowed: they run nothing. Forms, and every redirect that follows one, lead to this origin;
 * `leaveOrigin` is the way to another.
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
 * The policy of every other response: JSON, files, redirects, and the plain pages of `html-page.ts`, which have only a
 * style sheet.
 */
export const PLAIN_POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'";

/** The headers of every response; pages get their own policy by proxy.ts. */
export const SECURITY_HEADERS: Readonly<Record<string, string>> = {
  "Content-Security-Policy": PLAIN_POLICY,
  "X-Content-Type-Options": "nosniff",
  "X-Frame-Options": "DENY",
  "Referrer-Policy": "same-origin",
  "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
  "Strict-Transport-Security": "max-age=31536000",
};
