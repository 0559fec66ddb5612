"use client";

import { Anchor, List, Paper, Text } from "@mantine/core";

import { SETTINGS } from "@/components/settings/settings-links";
import { Page } from "@/components/ui/layout/page";

interface AdminsOnlyProps {
  /** The title of the page that the reader asked for. */
  title: string;
  /** Some of those who can help. */
  admins: readonly { id: string; name: string; email: string }[];
}

/** Stands in place of a page that the reader may not see: who does, and whom to ask. */
export function AdminsOnly({ title, admins }: AdminsOnlyProps) {
  return (
    <Page title={title} parent={SETTINGS} lead="Only admins see this page.">
      <Paper withBorder p="lg">
        <Text>
          You are a member of this organization. If you need something from here, ask{" "}
          {admins.length === 1 ? "its admin" : "one of its admins"}; an admin can also make you one:
        </Text>
        <List mt="md">
          {admins.map(({ id, name, email }) => (
            <List.Item key={id}>
              <bdi>{name}</bdi>,{" "}
              <Anchor href={`mailto:${email}`} underline="always" inherit>
                {email}
              </Anchor>
            </List.Item>
          ))}
        </List>
      </Paper>
    </Page>
  );
}
