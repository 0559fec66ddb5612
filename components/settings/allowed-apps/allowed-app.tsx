import { Button, Group, List, Paper, Text, ThemeIcon, Title } from "@mantine/core";
import { IconCheck } from "@tabler/icons-react";

import classes from "@/components/settings/allowed-apps/allowed-app.module.css";
import type { Grant } from "@/components/settings/allowed-apps/grant";
import { Fact, Facts } from "@/components/ui/layout/facts";
import { Ago } from "@/components/ui/text/ago";
import { formatNumber } from "@/components/ui/text/format";

/** One app that the reader has allowed: what it may do, since when, and when it last did. */
export function AllowedApp({ grant, onRemove }: { grant: Grant; onRemove: () => void }) {
  const headingId = `app-${grant.id}`;
  return (
    <Paper withBorder component="li" p={{ base: "md", sm: "lg" }} aria-labelledby={headingId}>
      <Group justify="space-between" align="flex-start" gap="sm" mb="sm">
        <Title order={2} id={headingId} className={classes.name}>
          <bdi>{grant.client_name}</bdi>
        </Title>
        <Button variant="default" size="sm" onClick={onRemove} aria-describedby={headingId}>
          Remove access
        </Button>
      </Group>
      <Text size="sm" mb={6}>
        In your name it may:
      </Text>
      <List
        size="sm"
        spacing={6}
        classNames={{ itemWrapper: classes.permission }}
        icon={
          <ThemeIcon size={20} radius="xl" variant="light" aria-hidden>
            <IconCheck size={13} />
          </ThemeIcon>
        }
      >
        {grant.permissions.map((permission) => (
          <List.Item key={permission}>{permission}</List.Item>
        ))}
      </List>
      <GrantFacts grant={grant} />
    </Paper>
  );
}

function GrantFacts({ grant }: { grant: Grant }) {
  return (
    <div className={classes.facts}>
      <Facts isShort>
        <Fact label="First allowed">
          <Ago iso={grant.created_at} />
        </Fact>
        <Fact label="Last allowed">
          <Ago iso={grant.last_allowed_at} />
        </Fact>
        <Fact label="Last used">
          <Ago iso={grant.last_used_at} never="Never" />
        </Fact>
        <Fact label="Access tokens in use">{formatNumber(grant.live_tokens)}</Fact>
      </Facts>
    </div>
  );
}
