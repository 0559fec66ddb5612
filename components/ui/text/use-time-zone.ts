import { createContext, useContext, useSyncExternalStore } from "react";

import { isOtherTimeZone } from "@/components/ui/text/time-zone";

/** The time zone of the organization whose pages these are; null for each reader's own. */
export const OrganizationTimeZone = createContext<string | null>(null);

/** The time zone of the organization's days; null for each reader's own. */
export function useOrganizationTimeZone(): string | null {
  return useContext(OrganizationTimeZone);
}

const nothingToWatch = () => () => undefined;

/** A moment before and one after the clocks change. */
const OF_A_YEAR = ["2026-01-01T12:00:00Z", "2026-07-01T12:00:00Z"];

/**
 * The organization's time zone where the reader's clock shows another time at one of the moments: of a whole year, if
 * none are given. Only the browser knows that.
 */
export function useOtherTimeZone(moments = OF_A_YEAR): string | undefined {
  const zone = useOrganizationTimeZone();
  return useSyncExternalStore(
    nothingToWatch,
    () => (zone !== null && isOtherTimeZone(zone, moments) ? zone : undefined),
    () => undefined,
  );
}

/** The time zone of times that are shown; undefined for the reader's, which only the browser knows. */
export function useTimeZone(): string | undefined {
  const zone = useOrganizationTimeZone() ?? undefined;
  return useSyncExternalStore(
    nothingToWatch,
    () => zone,
    () => zone ?? "UTC",
  );
}
