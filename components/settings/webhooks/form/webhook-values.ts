import type { UseFormReturnType } from "@mantine/form";

import { Problem } from "@/components/api/problem";

/** Where the secret of a new webhook comes from. */
export type SecretChoice = "generate" | "own" | "none";

/** What a webhook's form holds. Of the secret it asks at the creation only. */
export interface WebhookValues {
  url: string;
  description: string;
  /** The boxes that are ticked. */
  events: string[];
  secretChoice: SecretChoice;
  secret: string;
}

export type WebhookForm = UseFormReturnType<WebhookValues>;

const FIELDS = new Set(["url", "description", "events", "secret"]);

/**
 * The faults that the API found, by the form's field that each one's JSON pointer leads to. Null when one of them leads
 * to no field, so that nothing of the refusal goes unsaid.
 */
export function faultsByField(error: unknown): Record<string, string> | null {
  if (!(error instanceof Problem) || error.errors.length === 0) return null;
  const faults = error.errors.map(({ pointer, detail }) => [pointer.split("/")[1] ?? "", detail] as const);
  return faults.every(([field]) => FIELDS.has(field)) ? Object.fromEntries(faults) : null;
}
