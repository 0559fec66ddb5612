import { useSyncExternalStore } from "react";

import { formatMoment } from "@/components/ui/text/format";
import { shownTimeZone } from "@/components/ui/text/time-zone";

const nothingToWatch = () => () => undefined;

/** The time zone of the pages, or undefined for the reader's. A page that comes from the server is in UTC at first. */
export function useTimeZone(): string | undefined {
  return useSyncExternalStore(nothingToWatch, shownTimeZone, () => "UTC");
}

/** A moment in the time zone of the pages. */
export function Moment({ iso }: { iso: string }) {
  return <time dateTime={iso}>{formatMoment(iso, useTimeZone())}</time>;
}
