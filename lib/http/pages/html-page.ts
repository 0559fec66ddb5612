import { markSvg, PRODUCT_NAME } from "@/lib/brand";
import { PLAIN_POLICY } from "@/lib/http/pages/content-security-policy";

const HEADERS = {
  "content-type": "text/html; charset=utf-8",
  "cache-control": "no-store",
  "content-security-policy": PLAIN_POLICY,
  "x-frame-options": "DENY",
  "x-content-type-options": "nosniff",
};

interface Page {
  status: number;
  title: string;
  /** Plain text, one paragraph each. */
  paragraphs: readonly string[];
  link?: { href: string; text: string };
  /** What is wrong in terms of the protocol, below the text for the person. */
  forDeveloper?: readonly string[];
}

/**
 * A page for a person whose request a route refuses. It looks like the product, and needs neither scripts nor other
 * files.
 */
export function htmlPage({ status, title, paragraphs, link, forDeveloper = [] }: Page): Response {
  const body = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${escapeHtml(title)}</title>
<style>${PAGE_STYLE}</style>
</head>
<body>
<main>
${BRAND}
<div class="card">
<h1>${escapeHtml(title)}</h1>
${paragraphsOf(paragraphs)}
${link ? `<p><a href="${escapeHtml(link.href)}">${escapeHtml(link.text)}</a></p>` : ""}
${forDeveloper.length > 0 ? developerSection(forDeveloper) : ""}
</div>
</main>
</body>
</html>
`;
  return new Response(body, { status, headers: HEADERS });
}

function paragraphsOf(texts: readonly string[]): string {
  return texts.map((text) => `<p>${escapeHtml(text)}</p>`).join("\n");
}

function developerSection(texts: readonly string[]): string {
  return `<section>\n<h2>For the developer of the app</h2>\n${paragraphsOf(texts)}\n</section>`;
}

const ENTITIES: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };

function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
}

// The style of `components/account/account-frame.tsx` and `components/theme`, written out: a route handler has neither
// React nor Mantine, and its pages may load nothing. Colours and fonts are those of the theme.

const PAGE_STYLE = `
:root {
  color-scheme: light dark;
  font: 16px/1.55 ui-sans-serif, system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, "Noto Sans",
    sans-serif;
  --text: light-dark(#1f2422, #dfe4e2);
  --quiet: light-dark(#6b665d, #9ca6a2);
  --ground: light-dark(#faf9f7, #151b19);
  --surface: light-dark(#fff, #1b2220);
  --line: light-dark(#d9d5cd, #414b48);
  --accent: light-dark(#176a57, #80c7b4);
  --serif: "Iowan Old Style", "Palatino Linotype", P052, Georgia, "Noto Serif", ui-serif, serif;
}
* { box-sizing: border-box; }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; background: var(--ground); color: var(--text);
  padding: 2rem 1rem; }
main { width: 100%; max-width: 27.5rem; display: grid; gap: 1.25rem; }
.brand { display: inline-flex; align-items: center; gap: 10px; justify-self: start; color: inherit;
  text-decoration: none; border-radius: 4px; font: 600 1.0625rem/1.2 var(--serif); letter-spacing: -0.01em; }
.brand svg { flex: none; color: var(--accent); }
.brand .coming { color: light-dark(#c98d12, #e4a827); mix-blend-mode: multiply; }
.card { background: var(--surface); border: 1px solid var(--line); border-radius: 8px; padding: 2rem;
  overflow-wrap: anywhere; }
h1 { font: 600 1.75rem/1.2 var(--serif); letter-spacing: -0.01em; text-wrap: balance; margin: 0 0 1rem; }
p { margin: 0 0 .75rem; }
.card > :last-child, section > :last-child { margin-bottom: 0; }
a { color: var(--accent); }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
section { margin-top: 1.5rem; padding-top: 1rem; border-top: 1px solid var(--line); font-size: .875rem;
  color: var(--quiet); }
h2 { font: inherit; font-weight: 600; margin: 0 0 .5rem; }
@media (prefers-color-scheme: dark) { .brand .coming { mix-blend-mode: screen; } }
@media (max-width: 36em) { .card { padding: 1.25rem; } .brand { font-size: .9375rem; } }
`;

const RINGS = markSvg({
  root: 'width="26" height="26" aria-hidden="true"',
  own: 'stroke="currentColor"',
  coming: 'stroke="currentColor" class="coming"',
});

/** The mark and name, linked to the start page. */
const BRAND = `<a class="brand" href="/">${RINGS}${PRODUCT_NAME}</a>`;
