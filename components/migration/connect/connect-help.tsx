import { Code, List, Stack, Text, Title } from "@mantine/core";

import { NothingWritten } from "@/components/migration/wizard/step-footer";

/** What somebody who has never done this needs to know before connecting. */
export function ConnectHelp() {
  return (
    <Stack gap="xl">
      <section>
        <Title order={2} mb="xs">
          What we do with it
        </Title>
        <NothingWritten />
        <Text size="sm" c="dimmed" mt="xs">
          No package is installed, and no record, field or setting of the org is changed.
        </Text>
      </section>
      <section>
        <Title order={2} mb="xs">
          What the Salesforce user needs
        </Title>
        <List size="sm" spacing={6}>
          <List.Item>
            <b>API Enabled</b>, to connect at all
          </List.Item>
          <List.Item>
            <b>View All Data</b>, so that no record is missed
          </List.Item>
          <List.Item>
            <b>View Setup and Configuration</b>, to count records quickly and see automations
          </List.Item>
        </List>
        <Text size="sm" c="dimmed" mt="xs">
          An administrator grants them in Setup › Permission Sets. System Administrators have all three.
        </Text>
      </section>
      <section>
        <Title order={2} mb="xs">
          How to get an access token
        </Title>
        <List type="ordered" size="sm" spacing={6}>
          <List.Item>Install the Salesforce CLI on your computer.</List.Item>
          <List.Item>
            Run <Code>sf org login web --instance-url https://acme.my.salesforce.com</Code> with your own address, and sign in.
          </List.Item>
          <List.Item>
            Run <Code>sf org display</Code> and copy “Access Token” and “Instance Url”.
          </List.Item>
        </List>
        <Text size="sm" c="dimmed" mt="xs">
          Tokens expire after some hours without use. For a large org, sign in at Salesforce instead.
        </Text>
      </section>
    </Stack>
  );
}
