import { z } from "zod";

import { timestampOutput } from "@/lib/input/ids-and-times";

/** Kinds of stored data, in the order in which the settings show them. */
const STORAGE_KINDS = ["records", "files", "migrations", "events", "audit_log", "other"] as const;

/** What the files of an export can be. */
export const EXPORT_FORMATS = ["ndjson", "csv"] as const;

export type ExportFormat = (typeof EXPORT_FORMATS)[number];

/** An organization as its settings show it, on the server and in the browser. */
export const organizationSettings = z.object({
  id: z.uuidv7(),
  name: z.string(),
  currency: z.string().nullable().describe("ISO 4217; what new records begin with. Null for none."),
  time_zone: z
    .string()
    .nullable()
    .describe("IANA name; in which the pages show times to everybody. Null where each reader sees their own."),
  created_at: timestampOutput,
  version: z.int().describe("Raised with each change of name, currency or time zone."),
  storage: z.object({
    used_bytes: z.int().describe("As last measured, and what was stored since then."),
    quota_bytes: z.int().nullable().describe("Null where there is no limit."),
    measured_at: timestampOutput.nullable(),
    kinds: z
      .record(z.enum(STORAGE_KINDS), z.int())
      .nullable()
      .describe("Bytes per kind of data, as last measured. Null before the first measurement."),
  }),
});

export type OrganizationSettings = z.infer<typeof organizationSettings>;

/** What the deletion of an organization would end and erase. */
export const deletionImpact = z.object({
  records: z.int(),
  files: z.int(),
  members: z.int().describe("All of them, disabled ones too."),
  sessions: z.int().describe("Browsers that would be signed out, the reader's own included."),
  api_clients: z.int(),
  live_tokens: z.int().describe("Access tokens that open the API at this moment."),
  webhooks: z.int().describe("Those that are switched on."),
  connected_orgs: z.int().describe("Salesforce orgs to which the access would be deleted."),
  proof: z
    .enum(["password", "sign_in"])
    .describe("How the reader shows that it is them: by their password, or by having just signed in."),
});

export type DeletionImpact = z.infer<typeof deletionImpact>;
