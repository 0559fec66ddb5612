import { useSyncExternalStore } from "react";

import { formatAgo, formatExact, formatUtcAgo } from "@/components/ui/text/format";

const nothingToWatch = () => () => undefined;

/**
 * How long ago something happened, with the exact time as a tooltip; `never` where it has not happened. What comes from
 * the server knows no time zone until its scripts run.
 */
export function Ago({ iso, never = "never" }: { iso: string | null; never?: string }) {
  return iso === null ? never : <Time iso={iso} />;
}

function Time({ iso }: { iso: string }) {
  const text = useSyncExternalStore(
    nothingToWatch,
    () => formatAgo(iso),
    () => formatUtcAgo(iso),
  );
  const exact = useSyncExternalStore(
    nothingToWatch,
    () => formatExact(iso),
    () => undefined,
  );
  return (
    // A minute may end between the server and the browser.
    <time dateTime={iso} title={exact} suppressHydrationWarning>
      {text}
    </time>
  );
}
