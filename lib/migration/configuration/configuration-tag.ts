import { createHash } from "node:crypto";

import type { Configuration } from "@/lib/migration/configuration/configuration-schema";

/**
 * The entity-tag of a configuration: a digest of its choices. The same choices have the same tag whoever saved them, so
 * a save that changed nothing stands in nobody's way.
 */
export function tagOfConfiguration(configuration: Configuration): string {
  return digestOf(configuration);
}

/** 22 characters, the same for equal choices. */
export function digestOf(choices: unknown): string {
  return createHash("sha256").update(canonical(choices)).digest("base64url").slice(0, 22);
}

/** The same text for equal choices, whatever the order of their keys. */
export function canonical(value: unknown): string {
  return JSON.stringify(value ?? null, (_, inner: unknown) =>
    typeof inner === "object" && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).toSorted(([one], [other]) => (one < other ? -1 : 1)))
      : inner,
  );
}
