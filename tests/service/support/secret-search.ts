/** Shorter texts would be found by chance. */
const MIN_LENGTH = 12;

/** The forms in which an unprotected secret can appear in a text: unchanged, escaped, in hex, or within base64. */
function disguisesOf(secret: string): string[] {
  if (secret.length < MIN_LENGTH)
    throw new Error(`A secret of ${secret.length} characters cannot be told from chance.`);
  const bytes = Buffer.from(secret);
  const base64 = [0, 1, 2].flatMap((before) => [
    withinBase64(bytes, before, "base64"),
    withinBase64(bytes, before, "base64url"),
  ]);
  const hex = bytes.toString("hex");
  return [
    ...new Set([
      secret,
      encodeURIComponent(secret),
      JSON.stringify(secret).slice(1, -1),
      hex,
      hex.toUpperCase(),
      ...base64,
    ]),
  ];
}

/**
 * The base64 characters that depend only on these bytes, when `before` bytes of a group of three precede them and
 * others follow.
 */
function withinBase64(bytes: Buffer, before: number, encoding: "base64" | "base64url"): string {
  const encoded = Buffer.concat([Buffer.alloc(before), bytes])
    .toString(encoding)
    .replaceAll("=", "");
  const first = Math.ceil((before * 8) / 6);
  const last = Math.floor(((before + bytes.length) * 8) / 6);
  return encoded.slice(first, last);
}

/** Where secrets appear in the clear: "what: where". `secrets` are named, so that a failure does not print them. */
export function findInClear(
  secrets: Readonly<Record<string, string>>,
  places: readonly { where: string; text: string }[],
): string[] {
  const needles = Object.entries(secrets).flatMap(([what, secret]) =>
    disguisesOf(secret).map((disguise) => ({ what, disguise })),
  );
  const found = places.flatMap(({ where, text }) =>
    needles.filter(({ disguise }) => text.includes(disguise)).map(({ what }) => `${what}: ${where}`),
  );
  return [...new Set(found)].toSorted();
}
