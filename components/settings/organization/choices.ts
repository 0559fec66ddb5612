const names = new Intl.DisplayNames("en", { type: "currency" });

/** Every currency in use: "EUR, Euro". */
export const CURRENCIES = Intl.supportedValuesOf("currency").map((code) => ({
  value: code,
  label: `${code}, ${names.of(code) ?? code}`,
}));

/** Every time zone that this browser names, by continent: "Europe/Berlin". */
const TIME_ZONES = [
  { group: "Everywhere", items: ["UTC"] },
  ...Object.entries(
    Object.groupBy(
      Intl.supportedValuesOf("timeZone").filter((zone) => zone.includes("/")),
      (zone) => zone.split("/", 1)[0] ?? "",
    ),
  ).map(([group, items = []]) => ({ group, items })),
];

/** All time zones, with the chosen one, which another browser may have called by another name. */
export function timeZones(chosen: string | null) {
  const isKnown = chosen === null || TIME_ZONES.some(({ items }) => items.includes(chosen));
  return isKnown ? TIME_ZONES : [{ group: "Chosen", items: [chosen] }, ...TIME_ZONES];
}

/** The time zone of this browser. */
export function browserTimeZone(): string {
  return new Intl.DateTimeFormat().resolvedOptions().timeZone;
}
