import type { ButtonProps } from "@mantine/core";

import { LinkButton } from "@/components/shell/link-button";

/** Leads to the connect step with the org's address filled in. Records that are here already are recognized by the next migration. */
export function ConnectAgain({ instanceUrl, ...props }: ButtonProps & { instanceUrl: string }) {
  return (
    <LinkButton href={`/migration/new?instance_url=${encodeURIComponent(instanceUrl)}`} {...props}>
      Connect again
    </LinkButton>
  );
}
