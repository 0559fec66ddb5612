"use client";

import { Button, Radio, Stack, Text, TextInput } from "@mantine/core";
import { useForm, type UseFormReturnType } from "@mantine/form";

import { RefusalHelp } from "@/components/migration/connect/refusal-help";
import { useSignIn } from "@/components/migration/connect/use-sign-in";
import { FormShell } from "@/components/ui/form/form-shell";

const HOSTS = { production: "https://login.salesforce.com", sandbox: "https://test.salesforce.com" } as const;

interface Values {
  kind: keyof typeof HOSTS | "my_domain";
  domain: string;
}

/**
 * Connects by a sign-in at Salesforce: the browser leaves this page and returns with a connection. `instanceUrl` is
 * filled in when the same org is connected again.
 */
export function OauthForm({ instanceUrl }: { instanceUrl: string }) {
  const form = useForm<Values>({
    initialValues: { kind: instanceUrl ? "my_domain" : "production", domain: instanceUrl },
    validate: {
      domain: (value, { kind }) => (kind === "my_domain" && !value.trim() ? "Enter your org's My Domain." : null),
    },
  });
  const signIn = useSignIn();
  const submit = form.onSubmit(({ kind, domain }) => signIn.mutate(kind === "my_domain" ? domain.trim() : HOSTS[kind]));
  return (
    <FormShell
      onSubmit={submit}
      refusal={signIn.error}
      help={<RefusalHelp error={signIn.error} instanceUrl={signIn.variables ?? ""} isSignIn />}
      actions={
        <Button type="submit" loading={signIn.isBusy}>
          Sign in at Salesforce
        </Button>
      }
    >
      <LoginHostFields form={form} />
      <Text size="sm" c="dimmed">
        Salesforce asks you to allow this service to read your data, then brings you back here. The connection renews
        itself, so a long migration is not cut off when a token expires.
      </Text>
    </FormShell>
  );
}

function LoginHostFields({ form }: { form: UseFormReturnType<Values> }) {
  return (
    <>
      <Radio.Group label="Where do you sign in?" {...form.getInputProps("kind")}>
        <Stack gap="xs" mt="xs">
          <Radio value="production" label="Production" description="login.salesforce.com, Developer Edition included" />
          <Radio value="sandbox" label="Sandbox" description="test.salesforce.com" />
          <Radio
            value="my_domain"
            label="My Domain"
            description="The org's own address, if your company signs in there"
          />
        </Stack>
      </Radio.Group>
      {form.values.kind === "my_domain" && (
        <TextInput
          label="My Domain"
          placeholder="https://acme.my.salesforce.com"
          inputMode="url"
          spellCheck={false}
          required
          {...form.getInputProps("domain")}
        />
      )}
    </>
  );
}
