/**
 * The Content Security Policy of our pages. Next writes inline scripts and Mantine inline styles; everything else must come from this
 * origin. `formTargets` are the origins that a form's redirects may lead to besides our own.
 */
export function contentSecurityPolicy({ development = false, formTargets = [] }: { development?: boolean; formTargets?: readonly string[] }): string {
  return [
    "default-src 'self'",
    `script-src 'self' 'unsafe-inline'${development ? " 'unsafe-eval'" : ""}`,
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "object-src 'none'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    ["form-action 'self'", ...formTargets].join(" "),
  ].join("; ");
}
