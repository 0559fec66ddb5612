import { formatMoment } from "@/components/ui/text/format";
import { useOtherTimeZone, useTimeZone } from "@/components/ui/text/use-time-zone";

/** A moment in the time zone of the pages, with that as a tooltip where it is not the reader's own. */
export function Moment({ iso }: { iso: string }) {
  const other = useOtherTimeZone();
  return (
    <time dateTime={iso} title={other && `In ${other}`}>
      {formatMoment(iso, useTimeZone())}
    </time>
  );
}
