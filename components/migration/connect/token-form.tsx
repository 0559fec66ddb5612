"use client";

import { Button, TextInput } from "@mantine/core";
import { isNotEmpty, useForm, type UseFormReturnType } from "@mantine/form";
import type { ReactNode } from "react";

import { Problem } from "@/components/api/problem";
import { FormShell } from "@/components/ui/form/form-shell";
import { TokenField } from "@/components/migration/connect/token-field";
import { RefusalHelp } from "@/components/migration/connect/refusal-help";
import { useAnalyze } from "@/components/migration/connect/use-analyze";

interface Values {
  ext_instance_url: string;
  ext_access_token: string;
}

/** Connects with an access token. `instanceUrl` is filled in when an analysis is tried again. */
export function TokenForm({ instanceUrl }: { instanceUrl: string }) {
  const analyze = useAnalyze();
  const form = useForm<Values>({
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
  return (
    <FormShell
      onSubmit={submit}
      refusal={analyze.error}
      help={<RefusalHelp error={analyze.error} instanceUrl={analyze.variables?.ext_instance_url ?? ""} />}
      actions={
        <Button type="submit" loading={analyze.isPending || analyze.isSuccess}>
          Connect and analyze
        </Button>
      }
    >
      <TokenFields form={form} />
    </FormShell>
  );
}

function TokenFields({ form }: { form: UseFormReturnType<Values> }) {
  return (
    <>
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
      <TokenField key={form.key("ext_access_token")} label="Access token" {...form.getInputProps("ext_access_token")} />
    </>
  );
}

/**
 * Marks the fields that the faults point at, such as `/ext_instance_url`. A fault repeats its sentence only if the
 * alert above says something else.
 */
function faultsByField(error: Error): Record<string, ReactNode> {
  if (!(error instanceof Problem)) return {};
  return Object.fromEntries(
    error.errors.map((fault) => [fault.pointer.replace(/^\//, ""), fault.detail === error.message || fault.detail]),
  );
}
