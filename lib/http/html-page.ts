import { PLAIN_POLICY } from "@/lib/http/content-security-policy";

const STYLE = `
:root { color-scheme: light dark; font: 16px/1.55 system-ui, sans-serif; }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; background: light-dark(#faf9f7, #151b19); color: light-dark(#222, #e8e8e6); }
main { max-width: 30rem; padding: 2rem 1.5rem; }
h1 { font-size: 1.4rem; line-height: 1.3; margin: 0 0 .75rem; }
p { margin: 0 0 .75rem; overflow-wrap: anywhere; }
a { color: inherit; }`;

const HEADERS = {
  "content-type": "text/html; charset=utf-8",
  "cache-control": "no-store",
  "content-security-policy": PLAIN_POLICY,
  "x-frame-options": "DENY",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
};

interface Page {
  status: number;
  title: string;
  /** One sentence per paragraph, plain text. */
  paragraphs: readonly string[];
  link?: { href: string; text: string };
}

/** A page for a person whose request a route had to refuse: plain, without scripts, not frameable, not stored. */
export function htmlPage({ status, title, paragraphs, link }: Page): Response {
  const body = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>${escapeHtml(title)}</h1>
${paragraphs.map((text) => `<p>${escapeHtml(text)}</p>`).join("\n")}
${link ? `<p><a href="${escapeHtml(link.href)}">${escapeHtml(link.text)}</a></p>` : ""}
</main>
</body>
</html>
`;
  return new Response(body, { status, headers: HEADERS });
}

const ENTITIES: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };

function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
}
