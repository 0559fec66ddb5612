import { TextInput } from "@mantine/core";

import type { WebhookForm } from "@/components/settings/webhooks/form/webhook-values";

/** The fields for the endpoint and the description. */
export function AddressFields({ form }: { form: WebhookForm }) {
  return (
    <>
      <TextInput
        label="Endpoint"
        description={
          "The address that receives the events, such as https://example.com/hooks/crm. It must be reachable from " +
          "the public internet by https."
        }
        type="url"
        inputMode="url"
        autoComplete="off"
        spellCheck={false}
        required
        {...form.getInputProps("url")}
      />
      <TextInput
        label="Description"
        description="What receives the events, in a few words. It names the webhook on these pages."
        autoComplete="off"
        {...form.getInputProps("description")}
      />
    </>
  );
}
