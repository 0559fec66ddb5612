import { Ago } from "@/components/settings/moment";

/** How long ago something happened, or that it never did. */
export function When({ at }: { at: string | null }) {
  return at ? <Ago iso={at} /> : <>never</>;
}
