import type { ButtonProps } from "@mantine/core";

import { LinkButton } from "@/components/ui/text/links";

interface ConnectAgainProps extends ButtonProps {
  instanceUrl: string;
}

/**
 * Links to the connect step with the address of the org filled in. The next migration recognizes records that are
 * already here.
 */
export function ConnectAgain({ instanceUrl, ...props }: ConnectAgainProps) {
  return (
    <LinkButton href={`/migration/new?ext_instance_url=${encodeURIComponent(instanceUrl)}`} {...props}>
      Connect again
    </LinkButton>
  );
}

/** As {@link ConnectAgain}, for a new report alone: the step offers the access that is there already. */
export function AnalyzeAgain({ instanceUrl, ...props }: ConnectAgainProps) {
  const query = new URLSearchParams({ ext_instance_url: instanceUrl, use: "connection" });
  return (
    <LinkButton href={`/migration/new?${query}`} {...props}>
      Analyze again
    </LinkButton>
  );
}
