import { Button, Group, Text } from "@mantine/core";
import { useContext, useState } from "react";

import { RefusalHelp } from "@/components/migration/connect/refusal-help";
import { faultsByField, TokenFields, useTokenForm } from "@/components/migration/connect/token-fields";
import { CanSignInContext, useSignIn } from "@/components/migration/connect/use-sign-in";
import { rememberReconnect } from "@/components/migration/control/remembered-reconnect";
import { useReconnect } from "@/components/migration/control/use-reconnect";
import { ProblemAlert } from "@/components/ui/feedback/problem-alert";
import { DialogActions } from "@/components/ui/form/dialog-actions";
import { FormShell } from "@/components/ui/form/form-shell";
import { Dialog, useHeldOpen } from "@/components/ui/overlay/dialog";
import type { Migration } from "@/lib/migration/migration-schema";

interface ReconnectProps {
  migration: Migration;
  onClose: () => void;
}

/** Asks for new access to the org of a migration: an access token, or a sign-in at Salesforce. */
export function ReconnectDialog({ opened, ...props }: ReconnectProps & { opened: boolean }) {
  return (
    <Dialog opened={opened} onClose={props.onClose} title="Give new access">
      <ReconnectForm {...props} />
    </Dialog>
  );
}

export function ReconnectForm({ migration, onClose }: ReconnectProps) {
  const reconnect = useReconnect(migration.migration_id);
  return (
    <>
      <Text size="sm" component="output">
        {reconnect.isSuccess && connectedInWords(migration)}
      </Text>
      {reconnect.isSuccess ? (
        <Group justify="flex-end" mt="md">
          <Button onClick={onClose} data-autofocus>
            Close
          </Button>
        </Group>
      ) : (
        <AccessForm migration={migration} onClose={onClose} reconnect={reconnect} />
      )}
    </>
  );
}

interface AccessFormProps extends ReconnectProps {
  reconnect: ReturnType<typeof useReconnect>;
}

function AccessForm({ migration, onClose, reconnect }: AccessFormProps) {
  const { connected_as: username, ext_instance_url: address } = migration;
  const canSignIn = useContext(CanSignInContext);
  const form = useTokenForm(address);
  const [hasToken, setHasToken] = useState(false);
  form.watch("ext_access_token", ({ value }) => setHasToken(value !== ""));
  useHeldOpen(reconnect.isPending, hasToken);
  const submit = form.onSubmit((values) =>
    reconnect.mutate(values, { onError: (error) => form.setErrors(faultsByField(error)) }),
  );
  return (
    <>
      <Text size="sm" c="dimmed" mb="md">
        Give the migration new access{username === null ? "" : <> as {username}</>}. A paused run goes on where it
        stopped; nothing is imported twice.
      </Text>
      <FormShell
        onSubmit={submit}
        refusal={reconnect.error}
        help={<RefusalHelp error={reconnect.error} instanceUrl={form.getValues().ext_instance_url} />}
        actions={
          <>
            {canSignIn && <SignInInstead addressOf={() => form.getTransformedValues().ext_instance_url} />}
            <DialogActions isPending={reconnect.isPending} onCancel={onClose}>
              Give new access
            </DialogActions>
          </>
        }
      >
        <TokenFields form={form} tokenLabel="New access token" />
      </FormShell>
    </>
  );
}

/** How it goes on with the new access. */
export function connectedInWords({ status, undo }: Pick<Migration, "status" | "undo">): string {
  // Of an undo that stopped, another run would import what it has deleted.
  const isRunAgain = status === "failed" && !undo?.failed;
  return `Connected. ${isRunAgain ? "Run the migration again to go on." : "The migration reads by this from now on."}`;
}

/** Leaves for Salesforce. It sends the browser to the connect step, which connects this migration and returns here. */
function SignInInstead({ addressOf }: { addressOf: () => string }) {
  const signIn = useSignIn(() => rememberReconnect(window.location.pathname + window.location.search));
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
