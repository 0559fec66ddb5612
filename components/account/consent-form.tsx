import { Button, Code, Group, List, ListItem, Stack, Text, ThemeIcon, Title } from "@mantine/core";
import { IconCheck } from "@tabler/icons-react";
import { Fragment } from "react";

import { TextLink } from "@/components/ui/text/links";

interface ConsentFormProps {
  requestId: string;
  /** Binds the form to this sign-in. */
  token: string;
  clientName: string;
  /** Where the browser goes afterwards. */
  redirectHost: string;
  /** The requested permissions, in words. */
  permissions: readonly string[];
  /** The requested scopes. */
  scopes: readonly string[];
  person: { email: string; organization: string };
}

/** Posts to /oauth/consent/decision; works without scripts. */
export function ConsentForm({
  requestId,
  token,
  clientName,
  redirectHost,
  permissions,
  scopes,
  person,
}: ConsentFormProps) {
  return (
    <form method="post" action="/oauth/consent/decision">
      <Stack>
        <Title order={1} style={{ overflowWrap: "anywhere" }}>
          Let <bdi>{clientName}</bdi> in?
        </Title>
        <Text>
          <Name>{clientName}</Name> asks to work with the records of <Name>{person.organization}</Name> in your name. It
          will be able to:
        </Text>
        <Permissions permissions={permissions} />
        <Scopes scopes={scopes} />
        <Text size="sm" style={{ overflowWrap: "anywhere" }}>
          Either way you go on to <b>{redirectHost}</b>.
        </Text>
        <input type="hidden" name="request" value={requestId} />
        <input type="hidden" name="token" value={token} />
        <Group grow preventGrowOverflow={false} mt="xs">
          <Button type="submit" name="decision" value="deny" variant="default">
            Deny
          </Button>
          <Button type="submit" name="decision" value="allow">
            Allow
          </Button>
        </Group>
        <Text size="sm" c="dimmed" style={{ overflowWrap: "anywhere" }}>
          You are signed in as {person.email}. Not you?{" "}
          <TextLink href="/sign-out" underline="always">
            Sign out
          </TextLink>
        </Text>
      </Stack>
    </form>
  );
}

function Scopes({ scopes }: Pick<ConsentFormProps, "scopes">) {
  return (
    <Text size="sm" c="dimmed">
      {scopes.length === 1 ? "Scope" : "Scopes"}:{" "}
      {scopes.map((scope, index) => (
        <Fragment key={scope}>
          {index > 0 && " "}
          <Code>{scope}</Code>
        </Fragment>
      ))}
    </Text>
  );
}

/** A name in the direction of its own script, which leaves the sentence around it alone. */
function Name({ children }: { children: string }) {
  return (
    <b>
      <bdi>{children}</bdi>
    </b>
  );
}

function Permissions({ permissions }: Pick<ConsentFormProps, "permissions">) {
  return (
    <List
      spacing="xs"
      // Mantine centers an icon beside all lines of its item; it belongs beside the first.
      styles={{ itemWrapper: { alignItems: "flex-start" } }}
      icon={
        <ThemeIcon size={22} radius="xl" variant="light" aria-hidden>
          <IconCheck size={14} />
        </ThemeIcon>
      }
    >
      {permissions.map((permission) => (
        <ListItem key={permission}>{permission}</ListItem>
      ))}
    </List>
  );
}
