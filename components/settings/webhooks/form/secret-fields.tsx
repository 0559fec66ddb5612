import { Alert, PasswordInput, type PasswordInputProps, Radio, Stack } from "@mantine/core";
import { IconAlertTriangle } from "@tabler/icons-react";

import type { SecretChoice, WebhookForm } from "@/components/settings/webhooks/form/webhook-values";

interface Choice {
  value: SecretChoice;
  label: string;
  description: string;
}

const CHOICES: readonly Choice[] = [
  {
    value: "generate",
    label: "Make one for me",
    description: "256 random bits, shown once, after the webhook is created.",
  },
  { value: "own", label: "I bring my own", description: "For a receiver that has one already." },
  { value: "none", label: "None", description: "Deliveries are not signed." },
];

/** The choice of a secret for a new webhook. */
export function SecretFields({ form }: { form: WebhookForm }) {
  const { secretChoice } = form.values;
  return (
    <Stack gap="sm">
      <Radio.Group
        label="Secret"
        description={
          "Signs every delivery, so that the receiver can check that it comes from here and was not changed on the way."
        }
        value={secretChoice}
        onChange={(value) => form.setFieldValue("secretChoice", value)}
      >
        <Stack gap="sm" mt="sm">
          {CHOICES.map(({ value, label, description }) => (
            <Radio key={value} value={value} label={label} description={description} />
          ))}
        </Stack>
      </Radio.Group>
      {secretChoice === "own" && <OwnSecret {...form.getInputProps("secret")} />}
      {secretChoice === "none" && (
        <Alert color="amber" title="Anybody could pretend to be this service" icon={<IconAlertTriangle aria-hidden />}>
          Whoever learns the address of the endpoint can send it events that look like ours. Choose this only where the
          receiver protects itself in another way.
        </Alert>
      )}
    </Stack>
  );
}

/** A field for the reader's own secret. */
export function OwnSecret(props: Pick<PasswordInputProps, "value" | "onChange" | "error">) {
  return (
    <PasswordInput
      label="Your secret"
      description={
        "whsec_ and the base64 of 24 to 64 bytes, or 8 to 128 printable ASCII characters. Long and random is safest."
      }
      autoComplete="new-password"
      spellCheck={false}
      required
      visibilityToggleButtonProps={{ "aria-label": "Show or hide the secret", tabIndex: 0 }}
      aria-invalid={props.error ? true : undefined}
      {...props}
    />
  );
}
