import type { ButtonProps } from "@mantine/core";

import { LinkButton } from "@/components/ui/text/links";

interface ConnectAgainProps extends ButtonProps {
  instanceUrl: string;
}

/**
 * Links to the connect step with the address of the org filled in. The next migration recognizes records that are
 * already here.
 */
export function ConnectAgain({ instanceUrl, children = "Connect again", ...props }: ConnectAgainProps) {
  return (
    <LinkButton href={`/migration/new?ext_instance_url=${encodeURIComponent(instanceUrl)}`} {...props}>
      {children}
    </LinkButton>
  );
}
