import type { ButtonProps } from "@mantine/core";

import { LinkButton } from "@/components/ui/text/link-button";

interface ConnectAgainProps extends ButtonProps {
  instanceUrl: string;
}

/**
 * Leads to the connect step with the org's address filled in. Records that are here already are recognized by the next
 * migration.
 */
export function ConnectAgain({ instanceUrl, children = "Connect again", ...props }: ConnectAgainProps) {
  return (
    <LinkButton href={`/migration/new?ext_instance_url=${encodeURIComponent(instanceUrl)}`} {...props}>
      {children}
    </LinkButton>
  );
}
