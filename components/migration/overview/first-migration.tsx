import { Group, List, Paper, Text, ThemeIcon } from "@mantine/core";

import { Page } from "@/components/ui/layout/page";
import { ConnectedOrgs } from "@/components/migration/overview/connected-orgs";
import { STEP_NAMES, STEPS, type Step } from "@/components/migration/wizard/migration-statuses";
import { LinkButton } from "@/components/ui/text/links";

const WHAT_HAPPENS: Record<Step, string> = {
  connect: "Give the address of your Salesforce org and a way to read it.",
  analyze: "We count the records and look at fields, picklists and automations. This takes a minute or two.",
  report: "You read how well everything fits, what is at risk, and how long the migration will take.",
  configure: "You choose what is migrated and where each field goes.",
  migrate: "You start the import, watch its progress, and get a proof that no record was lost.",
};

/** The start page before the first migration: the steps, and a button to begin. */
export function FirstMigration() {
  return (
    <Page
      title="Migrate your Salesforce org"
      lead="Five steps. Nothing is written before the last one, and your Salesforce org is only ever read."
    >
      <Paper withBorder p={{ base: "lg", sm: "xl" }}>
        <List spacing="lg" listStyleType="none" center={false}>
          {STEPS.map((step, index) => (
            <List.Item
              key={step}
              icon={
                <ThemeIcon variant="light" radius="xl" size={30} aria-hidden>
                  {index + 1}
                </ThemeIcon>
              }
            >
              <Text fw={600}>{STEP_NAMES[step]}</Text>
              <Text c="dimmed" size="sm" maw="38rem">
                {WHAT_HAPPENS[step]}
              </Text>
            </List.Item>
          ))}
        </List>
        <Text mt="xl" size="sm" maw="44rem">
          <b>How to proceed:</b> Analyze first, which writes nothing. Try a Salesforce sandbox before your production
          org. Look in the report at the fields that have no equivalent here. Then migrate in phases: first accounts and
          contacts, then cases and activities.
        </Text>
        <Group mt="xl">
          <LinkButton href="/migration/new" size="md">
            Connect a Salesforce org
          </LinkButton>
        </Group>
      </Paper>
      {/* One whose analysis was refused is connected, and has no migration. */}
      <ConnectedOrgs />
    </Page>
  );
}
