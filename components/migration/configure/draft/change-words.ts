import type { Change } from "@/components/migration/configure/draft/changes";
import { targetLabel } from "@/components/migration/report/findings";
import { inWords } from "@/components/ui/text/format";
import { isSourceObject, objectName } from "@/lib/migration/objects/source-object-names";

/** A change of a choice in a sentence: "Accounts: Fax goes to Phone." */
export function describeChange({ path, after }: Change): string {
  const [part = "", name = "", ...rest] = path;
  if (part !== "objects") return SETTINGS[`${part}.${name}`] ?? SETTINGS[part] ?? inWords(part);
  const words = describeObjectChange(rest, after);
  return `${isSourceObject(name) ? objectName(name) : name}: ${words}`;
}

const SETTINGS: Record<string, string> = {
  "owners.by_email": "Owners: whether the e-mail address decides",
  "owners.members": "Owners: who becomes which member",
  "owners.fallback": "Owners: who owns what would have no owner",
  "threads.attachments": "Options: attachments of threads",
  repeat: "Options: who wins where records were edited here",
  api_limit: "Options: the limit of API requests",
  "files.copy": "Options: whether files are copied",
  "files.max_mb": "Options: the largest file that is copied",
  send_events: "Options: whether webhooks get events",
};

type Describe = (after: unknown, field: string, value: string) => string;

const OF_OBJECT: Record<string, Describe> = {
  selected: (after) => (after === false ? "not migrated" : "migrated"),
  fields: (after, field) =>
    after === undefined ? `“${field}” as suggested` : `“${field}” goes to ${targetWords(after)}`,
  values: (after, field, value) =>
    `“${value}” of “${field}” becomes ${after === undefined ? "what is suggested" : inWords(String(after))}`,
  relationships: (_, field) => `the link “${field}”`,
  duplicates: () => "rules for duplicates",
  phase: (after) => `phase ${typeof after === "number" ? after : 1}`,
};

function describeObjectChange([kind = "", field = "", value = ""]: readonly string[], after: unknown): string {
  return OF_OBJECT[kind]?.(after, field, value) ?? "how it is read";
}

function targetWords(target: unknown): string {
  return target === null ? "nowhere" : targetLabel(String(target));
}
