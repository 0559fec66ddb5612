import { formatAgo, formatExact } from "@/components/ui/text/format";

/** How long ago something happened, with the exact time as a tooltip; `never` where it has not happened. */
export function Ago({ iso, never = "never" }: { iso: string | null; never?: string }) {
  if (iso === null) return <>{never}</>;
  return (
    <time dateTime={iso} title={formatExact(iso)}>
      {formatAgo(iso)}
    </time>
  );
}
