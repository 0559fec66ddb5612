"use client";

import { createContext, type ReactNode, useContext } from "react";

import { showTimesIn } from "@/components/ui/text/time-zone";
import { OrganizationTimeZone } from "@/components/ui/text/use-time-zone";

const CurrencyContext = createContext<string | null>(null);

interface OrganizationDefaultsProps {
  /** What new records with an amount begin with; null for none. */
  currency: string | null;
  /** The time zone of times that are shown; null for the reader's own. */
  timeZone: string | null;
  children: ReactNode;
}

/** Gives the pages of an organization its currency and its time zone. */
export function OrganizationDefaults({ currency, timeZone, children }: OrganizationDefaultsProps) {
  // Before the pages are rendered, which write their times by it.
  if (typeof window !== "undefined") showTimesIn(timeZone);
  return (
    <CurrencyContext value={currency}>
      <OrganizationTimeZone value={timeZone}>{children}</OrganizationTimeZone>
    </CurrencyContext>
  );
}

/** The currency that new records begin with, or null. */
export function useDefaultCurrency(): string | null {
  return useContext(CurrencyContext);
}
