/** What browsers call themselves says more the longer one reads; the first part is enough for their name. */
const MAX_USER_AGENT_LENGTH = 500;

/** In this order: most browsers also name those that they are like. */
const BROWSERS: readonly [name: string, mark: RegExp][] = [
  ["Edge", /\bEdg(?:e|A|iOS)?\//],
  ["Opera", /\bOPR\//],
  ["Samsung Internet", /\bSamsungBrowser\//],
  ["Firefox", /\b(?:Firefox|FxiOS)\//],
  ["Chrome", /\b(?:Headless)?(?:Chrome|CriOS)\//],
  ["Safari", /\bSafari\//],
];

const SYSTEMS: readonly [name: string, mark: RegExp][] = [
  ["Android", /\bAndroid\b/],
  ["iPhone", /\biPhone\b/],
  ["iPad", /\biPad\b/],
  ["Windows", /\bWindows\b/],
  ["ChromeOS", /\bCrOS\b/],
  ["macOS", /\bMac OS X\b/],
  ["Linux", /\bLinux\b/],
];

/**
 * A browser and what it runs on, in words, from its `User-Agent` (RFC 9110 §10.1.5): "Firefox on Linux". Whoever sends
 * it can write anything, so the words are ours alone: "Unknown browser" is all that is said of others.
 */
export function browserName(userAgent: string | null): string {
  const read = (userAgent ?? "").slice(0, MAX_USER_AGENT_LENGTH);
  const named = (known: readonly [string, RegExp][]) => known.find(([, mark]) => mark.test(read))?.[0];
  const [browser = "Unknown browser", system] = [named(BROWSERS), named(SYSTEMS)];
  return system ? `${browser} on ${system}` : browser;
}
