import { Alert } from "@mantine/core";
import { IconAlertTriangle } from "@tabler/icons-react";

/** A warning for a webhook without a secret. */
export function Unsigned() {
  return (
    <Alert color="amber" title="Deliveries are not signed" icon={<IconAlertTriangle aria-hidden />}>
      Whoever learns the address of the endpoint can send it events that look like ours. Give the webhook a secret
      unless the receiver protects itself in another way.
    </Alert>
  );
}
