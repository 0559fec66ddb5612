"use client";

import { Button, Group, PasswordInput, Stack, TextInput } from "@mantine/core";
import { isNotEmpty, useForm } from "@mantine/form";
import type { ReactNode } from "react";

import { Problem } from "@/components/api/problem";
import { ProblemAlert } from "@/components/ui/feedback/problem-alert";
import { useAnalyze } from "@/components/migration/connect/use-analyze";

/**
 * Connects with an access token that the reader already has. `instanceUrl` is filled in when an analysis is tried
 * again.
 */
export function TokenForm({ instanceUrl }: { instanceUrl: string }) {
  const analyze = useAnalyze();
  const form = useForm({
    mode: "uncontrolled",
    initialValues: { ext_instance_url: instanceUrl, ext_access_token: "" },
    validate: {
      ext_instance_url: isNotEmpty("Enter the address of your Salesforce org."),
      ext_access_token: isNotEmpty("Enter an access token of your Salesforce org."),
    },
    transformValues: (values) => ({
      ext_instance_url: values.ext_instance_url.trim(),
      ext_access_token: values.ext_access_token.trim(),
    }),
  });
  const submit = form.onSubmit((values) =>
    analyze.mutate(values, { onError: (error) => form.setErrors(faultsByField(error)) }),
  );
  const busy = analyze.isPending || analyze.isSuccess;
  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        {analyze.isError && <ProblemAlert error={analyze.error} takesFocus />}
        <TextInput
          key={form.key("ext_instance_url")}
          label="Address of your Salesforce org"
          description="Setup › My Domain shows it. Copying it from the address bar works too."
          placeholder="https://acme.my.salesforce.com"
          inputMode="url"
          autoComplete="url"
          spellCheck={false}
          withAsterisk
          {...form.getInputProps("ext_instance_url")}
        />
        <PasswordInput
          key={form.key("ext_access_token")}
          label="Access token"
          description="Also called session id. It is kept encrypted and never shown again."
          placeholder="00D…"
          autoComplete="off"
          spellCheck={false}
          withAsterisk
          visibilityToggleButtonProps={{ "aria-label": "Show the access token" }}
          {...form.getInputProps("ext_access_token")}
        />
        <Group justify="flex-end">
          <Button type="submit" loading={busy}>
            Connect and analyze
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

/**
 * Marks the fields that the faults point at: `/ext_instance_url`. The alert above says what is wrong, so only another
 * sentence is worth repeating.
 */
function faultsByField(error: Error): Record<string, ReactNode> {
  if (!(error instanceof Problem)) return {};
  return Object.fromEntries(
    error.errors.map((fault) => [fault.pointer.replace(/^\//, ""), fault.detail === error.message || fault.detail]),
  );
}
