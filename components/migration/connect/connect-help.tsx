import { Code, List, Stack, Text, Title } from "@mantine/core";
import type { ReactNode } from "react";

import { NothingWritten } from "@/components/migration/wizard/step-footer";

const SIGN_IN = "Tokens expire after some hours without use. For a large org, sign in at Salesforce instead.";

const TOKEN_ALONE =
  "Tokens expire after some hours without use. A run that outlasts its token pauses, and goes on with a new one.";

/**
 * Administrators too need a permission set to query all files (Salesforce Help, "Set Up Users to Query Salesforce
 * Files").
 */
const GRANTED_BY =
  "An administrator grants them in Setup › Permission Sets. System Administrators have all but Query All Files.";

/** Help for people who connect an org for the first time. */
export function ConnectHelp({ canSignIn }: { canSignIn: boolean }) {
  return (
    <Stack gap="xl">
      <Section
        title="What we do with it"
        note="No package is installed, and no record, field or setting of the org is changed."
      >
        <NothingWritten />
      </Section>
      <Section title="What the Salesforce user needs" note={GRANTED_BY}>
        <Permissions />
      </Section>
      <Section title="How to get an access token" note={canSignIn ? SIGN_IN : TOKEN_ALONE}>
        <TokenSteps />
      </Section>
    </Stack>
  );
}

function Section({ title, note, children }: { title: string; note: string; children: ReactNode }) {
  return (
    <section>
      <Title order={2} mb="xs">
        {title}
      </Title>
      {children}
      <Text size="sm" c="dimmed" mt="xs">
        {note}
      </Text>
    </section>
  );
}

function Permissions() {
  return (
    <List size="sm" spacing={6}>
      <List.Item>
        <b>API Enabled</b>, to connect at all
      </List.Item>
      <List.Item>
        <b>View All Data</b>, so that no record is missed
      </List.Item>
      <List.Item>
        <b>Query All Files</b>, so that no file is missed
      </List.Item>
      <List.Item>
        <b>View Setup and Configuration</b>, to count records quickly and see automations
      </List.Item>
    </List>
  );
}

function TokenSteps() {
  return (
    <List type="ordered" size="sm" spacing={6}>
      <List.Item>Install the Salesforce CLI on your computer.</List.Item>
      <List.Item>
        Run <Code>sf org login web --instance-url https://acme.my.salesforce.com</Code> with your own address, and sign
        in.
      </List.Item>
      <List.Item>
        Run <Code>sf org display</Code> and copy “Access Token” and “Instance Url”.
      </List.Item>
    </List>
  );
}
