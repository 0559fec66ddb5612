import { formatMoment } from "@/components/ui/text/format";
import { useTimeZone } from "@/components/ui/text/use-time-zone";

/** A moment in the time zone of the pages. */
export function Moment({ iso }: { iso: string }) {
  return <time dateTime={iso}>{formatMoment(iso, useTimeZone())}</time>;
}
