import { TextInput } from "@mantine/core";
import { isNotEmpty, useForm, type UseFormReturnType } from "@mantine/form";
import type { ReactNode } from "react";

import { Problem } from "@/components/api/problem";
import { TokenField } from "@/components/migration/connect/token-field";

interface Values {
  ext_instance_url: string;
  ext_access_token: string;
}

/** A form for the address of an org, which is filled in if it is known, and an access token of it. */
export function useTokenForm(instanceUrl: string) {
  return useForm<Values>({
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
}

interface TokenFieldsProps {
  form: UseFormReturnType<Values>;
  tokenLabel: string;
}

export function TokenFields({ form, tokenLabel }: TokenFieldsProps) {
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
        required
        {...form.getInputProps("ext_instance_url")}
      />
      <TokenField key={form.key("ext_access_token")} label={tokenLabel} {...form.getInputProps("ext_access_token")} />
    </>
  );
}

/**
 * Marks the fields that the faults point at, such as `/ext_instance_url`. A fault repeats its sentence only if the
 * alert above says something else.
 */
export function faultsByField(error: Error): Record<string, ReactNode> {
  if (!(error instanceof Problem)) return {};
  return Object.fromEntries(
    error.errors.map((fault) => [fault.pointer.replace(/^\//, ""), fault.detail === error.message || fault.detail]),
  );
}
