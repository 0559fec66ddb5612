/** A `User-Agent` can be of any length; its first part is enough for the name. */
const MAX_USER_AGENT_LENGTH = 500;

/** The order matters: most browsers also name those that they resemble. */
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
 * A browser and its system in words, from its `User-Agent` (RFC 9110 §10.1.5): "Firefox on Linux". A client can send
 * anything, so the result is made of our own words alone; any other browser is an "Unknown browser".
 */
export function browserName(userAgent: string | null): string {
  const text = (userAgent ?? "").slice(0, MAX_USER_AGENT_LENGTH);
  const named = (known: readonly [string, RegExp][]) => known.find(([, mark]) => mark.test(text))?.[0];
  const [browser = "Unknown browser", system] = [named(BROWSERS), named(SYSTEMS)];
  return system ? `${browser} on ${system}` : browser;
}
