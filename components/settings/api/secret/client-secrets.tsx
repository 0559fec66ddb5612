"use client";

import { Button, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";

import classes from "@/components/settings/api/secret/client-secrets.module.css";
import { EndSecret } from "@/components/settings/api/secret/end-secret";
import { RotateClientSecret } from "@/components/settings/api/secret/rotate-client-secret";
import { useDialog } from "@/components/ui/overlay/use-dialog";
import { Section } from "@/components/ui/layout/section";
import { Ago } from "@/components/ui/text/ago";
import { formatMoment } from "@/components/ui/text/format";
import type { OauthClient } from "@/lib/oauth/clients/client-schema";

type Secret = OauthClient["secrets"][number];

/** The client's valid secrets, with buttons to replace or end them. */
export function ClientSecrets({ client }: { client: OauthClient }) {
  const [isRotating, rotating] = useDisclosure();
  const ending = useDialog<Secret>();
  return (
    <Section
      title="Client secret"
      lead={
        "It proves that a program is this client. It was shown once and cannot be shown again; rotate it when it is " +
        "lost or others may know it."
      }
      action={
        <Button variant="default" onClick={rotating.open}>
          Rotate the secret
        </Button>
      }
    >
      <ul className={classes.list}>
        {client.secrets.map((secret) => (
          <Row key={secret.id} secret={secret} onEnd={() => ending.open(secret)} />
        ))}
      </ul>
      <RotateClientSecret id={client.id} opened={isRotating} onClose={rotating.close} />
      <EndSecret opened={ending.isOpen} clientId={client.id} secret={ending.subject} onClose={ending.close} />
    </Section>
  );
}

function Row({ secret, onEnd }: { secret: Secret; onEnd: () => void }) {
  const { created_at, expires_at } = secret;
  return (
    <li className={classes.row}>
      <div>
        <Text fw={600} size="sm">
          {expires_at ? "Old secret" : "Current secret"}
        </Text>
        <Text size="sm" c="dimmed">
          made <Ago iso={created_at} />
          {expires_at && (
            <>
              ; works until <time dateTime={expires_at}>{formatMoment(expires_at)}</time>
            </>
          )}
        </Text>
      </div>
      {expires_at && (
        <Button variant="default" size="xs" onClick={onEnd}>
          End it now
        </Button>
      )}
    </li>
  );
}
