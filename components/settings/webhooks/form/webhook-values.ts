import type { UseFormReturnType } from "@mantine/form";

import { faultsByField } from "@/components/api/problem";

/** Where the secret of a new webhook comes from. */
export type SecretChoice = "generate" | "own" | "none";

/** The values of a webhook's form. The secret is asked for at the creation only. */
export type WebhookValues = {
  url: string;
  description: string;
  /** The boxes that are ticked. */
  events: string[];
  secretChoice: SecretChoice;
  secret: string;
};

export type WebhookForm = UseFormReturnType<WebhookValues>;

/** The faults of a refusal by the form's field. */
export function faultsOf(error: unknown): Record<string, string> | null {
  return faultsByField(error, ["url", "description", "events", "secret"]);
}
