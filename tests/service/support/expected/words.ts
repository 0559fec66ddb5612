const ENTITIES: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"', nbsp: " ", Oslash: "Ø" };

/** The visible words of an HTML body: without markup, scripts, styles and comments. */
export function wordsOfHtml(html: string): string {
  const seen = html.replaceAll(/<!--[\s\S]*?-->|<(style|script)\b[\s\S]*?<\/\1>|<[a-z/!][^>]*>/gi, " ");
  return wordsOf(
    seen.replaceAll(/&(\w+);/g, (entity, name: string) => {
      const character = ENTITIES[name];
      if (character === undefined)
        throw new Error(`Nobody has said what ${entity} means. Add it to tests/service/support/expected/words.ts.`);
      return character;
    }),
  );
}

export function wordsOf(text: string): string {
  return text.split(/\s+/).filter(Boolean).join(" ");
}
