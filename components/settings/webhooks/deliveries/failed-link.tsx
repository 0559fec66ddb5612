import type { ReactNode } from "react";

import { NO_FILTER, queryOf } from "@/components/settings/webhooks/deliveries/filter";
import { TextLink } from "@/components/ui/text/links";

const FAILED = queryOf({ ...NO_FILTER, state: "failed" });

/** A link to the failed deliveries of a webhook, where they can be recovered. */
export function FailedLink({ id, children }: { id: string; children: ReactNode }) {
  return (
    <TextLink href={`/settings/webhooks/${id}?${FAILED}#deliveries`} inherit c="inherit" underline="always">
      {children}
    </TextLink>
  );
}
