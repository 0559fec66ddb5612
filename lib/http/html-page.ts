import { PLAIN_POLICY } from "@/lib/http/content-security-policy";
import { BRAND, PAGE_STYLE } from "@/lib/http/page-style";

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
  /** One paragraph each, plain text. */
  paragraphs: readonly string[];
  link?: { href: string; text: string };
  /** What is wrong in the terms of a protocol, below what the person reads. */
  forDeveloper?: readonly string[];
}

/** A page for a person whose request a route had to refuse: it looks like the product, and needs neither scripts nor anything to load. */
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
${forDeveloper.length > 0 ? `<section>\n<h2>For the developer of the app</h2>\n${paragraphsOf(forDeveloper)}\n</section>` : ""}
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

const ENTITIES: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };

function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
}
