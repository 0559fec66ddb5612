import { createContext, useContext, useSyncExternalStore } from "react";

import { isOtherTimeZone } from "@/components/ui/text/time-zone";

/** The time zone of the organization whose pages these are; null for each reader's own. */
export const OrganizationTimeZone = createContext<string | null>(null);

/** The time zone of the organization's days; null for each reader's own. */
export function useOrganizationTimeZone(): string | null {
  return useContext(OrganizationTimeZone);
}

const nothingToWatch = () => () => undefined;

/** The organization's time zone where the reader's clock shows another; only the browser knows that. */
export function useOtherTimeZone(): string | undefined {
  const zone = useOrganizationTimeZone();
  return useSyncExternalStore(
    nothingToWatch,
    () => (zone !== null && isOtherTimeZone(zone) ? zone : undefined),
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
