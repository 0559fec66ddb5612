import { formatMoment } from "@/components/ui/text/format";
import { useOtherTimeZone, useTimeZone } from "@/components/ui/text/use-time-zone";

/** A moment in the time zone of the pages, with that as a tooltip where the reader's own clock shows another. */
export function Moment({ iso }: { iso: string }) {
  const other = useOtherTimeZone([iso]);
  return (
    <time dateTime={iso} title={other && `In ${other}`}>
      {formatMoment(iso, useTimeZone())}
    </time>
  );
}
