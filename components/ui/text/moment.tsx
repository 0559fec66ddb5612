import { useSyncExternalStore } from "react";

import { formatMoment, formatUtcMoment } from "@/components/ui/text/format";

const nothingToWatch = () => () => undefined;

/** A moment in the time zone of the pages. One that comes from the server has it in UTC until its scripts run. */
export function Moment({ iso }: { iso: string }) {
  const text = useSyncExternalStore(
    nothingToWatch,
    () => formatMoment(iso),
    () => formatUtcMoment(iso),
  );
  return <time dateTime={iso}>{text}</time>;
}
