import { createContext, useContext, useSyncExternalStore } from "react";

/** The time zone of the organization whose pages these are; null for each reader's own. */
export const OrganizationTimeZone = createContext<string | null>(null);

/** The time zone of the organization's days; null for each reader's own. */
export function useOrganizationTimeZone(): string | null {
  return useContext(OrganizationTimeZone);
}

const nothingToWatch = () => () => undefined;

/** The time zone of times that are shown; undefined for the reader's, which only the browser knows. */
export function useTimeZone(): string | undefined {
  const zone = useOrganizationTimeZone() ?? undefined;
  return useSyncExternalStore(
    nothingToWatch,
    () => zone,
    () => zone ?? "UTC",
  );
}
