import { Button, Group, Paper, Text, Title } from "@mantine/core";

import { RefusalHelp } from "@/components/migration/connect/refusal-help";
import { faultsByField, TokenFields, useTokenForm } from "@/components/migration/connect/token-fields";
import { useSignIn } from "@/components/migration/connect/use-sign-in";
import { rememberReconnect } from "@/components/migration/control/remembered-reconnect";
import { useReconnect } from "@/components/migration/control/use-reconnect";
import { ProblemAlert } from "@/components/ui/feedback/problem-alert";
import { FormShell } from "@/components/ui/form/form-shell";
import type { Migration } from "@/lib/migration/migration-schema";

interface ReconnectFormProps {
  migration: Migration;
  /** Whether whoever runs this service has registered it at Salesforce. */
  canSignIn: boolean;
}

/** Gives a migration new access to its org, by an access token or a sign-in at Salesforce. */
export function ReconnectForm({ migration, canSignIn }: ReconnectFormProps) {
  const { migration_id: id, connected_as: username, ext_instance_url: address } = migration;
  const reconnect = useReconnect(id);
  const form = useTokenForm(address);
  const submit = form.onSubmit((values) =>
    reconnect.mutate(values, { onError: (error) => form.setErrors(faultsByField(error)) }),
  );
  return (
    <Paper withBorder p="lg" component="section" aria-labelledby="reconnect">
      <Title order={2} id="reconnect">
        Connect again
      </Title>
      <Text size="sm" c="dimmed" mt={4} mb="md">
        Give the migration new access{username === null ? "" : <> as {username}</>}. A paused run goes on where it
        stopped; nothing is imported twice.
      </Text>
      {reconnect.isSuccess && (
        <Text size="sm" mb="md" component="output">
          Connected. Run the migration again to go on.
        </Text>
      )}
      <FormShell
        onSubmit={submit}
        refusal={reconnect.error}
        help={<RefusalHelp error={reconnect.error} instanceUrl={form.getValues().ext_instance_url} />}
        actions={
          <Group gap="sm">
            {canSignIn && <SignInInstead id={id} addressOf={() => form.getTransformedValues().ext_instance_url} />}
            <Button type="submit" loading={reconnect.isPending}>
              Connect again
            </Button>
          </Group>
        }
      >
        <TokenFields form={form} tokenLabel="New access token" />
      </FormShell>
    </Paper>
  );
}

/** Leaves for Salesforce, which sends the browser back to the connect step; that reconnects this migration then. */
function SignInInstead({ id, addressOf }: { id: string; addressOf: () => string }) {
  const signIn = useSignIn(() => rememberReconnect(id));
  return (
    <>
      {signIn.isError && (
        <ProblemAlert error={signIn.error} takesFocus>
          <RefusalHelp error={signIn.error} instanceUrl={signIn.variables} isSignIn />
        </ProblemAlert>
      )}
      <Button variant="default" loading={signIn.isBusy} onClick={() => signIn.mutate(addressOf())}>
        Sign in at Salesforce
      </Button>
    </>
  );
}
