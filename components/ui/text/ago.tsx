import { formatAgo, formatExact } from "@/components/ui/text/format";
import { useTimeZone } from "@/components/ui/text/use-time-zone";

/** How long ago something happened, with the exact time as a tooltip; `never` where it has not happened. */
export function Ago({ iso, never = "never" }: { iso: string | null; never?: string }) {
  return iso === null ? never : <Time iso={iso} />;
}

function Time({ iso }: { iso: string }) {
  const timeZone = useTimeZone();
  return (
    // A minute may end between the server and the browser.
    <time dateTime={iso} title={formatExact(iso, timeZone)} suppressHydrationWarning>
      {formatAgo(iso, undefined, timeZone)}
    </time>
  );
}
