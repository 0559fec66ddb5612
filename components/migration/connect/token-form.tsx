"use client";

import { Button } from "@mantine/core";

import { RefusalHelp } from "@/components/migration/connect/refusal-help";
import { faultsByField, TokenFields, useTokenForm } from "@/components/migration/connect/token-fields";
import { useAnalyze } from "@/components/migration/connect/use-analyze";
import { FormShell } from "@/components/ui/form/form-shell";

/** Connects with an access token. `instanceUrl` is filled in when an analysis is tried again. */
export function TokenForm({ instanceUrl }: { instanceUrl: string }) {
  const analyze = useAnalyze();
  const form = useTokenForm(instanceUrl);
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
      <TokenFields form={form} tokenLabel="Access token" />
    </FormShell>
  );
}
