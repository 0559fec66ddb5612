import { Ago } from "@/components/ui/text/moment";

/** How long ago something happened, or that it never did. */
export function When({ at }: { at: string | null }) {
  return at ? <Ago iso={at} /> : <>never</>;
}
