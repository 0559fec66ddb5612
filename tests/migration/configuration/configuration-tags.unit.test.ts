import { describe, expect, it } from "vitest";

import { configurationSchema } from "@/lib/migration/configuration/configuration-schema";
import { mappingTags } from "@/lib/migration/configuration/configuration-tags";

const MEMBER = "01890000-0000-7000-8000-000000000001";

/** The objects whose tags two configurations have not in common. */
function differing(one: object, other: object): string[] {
  const [before, after]: Record<string, string>[] = [one, other].map((given) =>
    mappingTags(configurationSchema.parse(given)),
  );
  return Object.keys(before ?? {}).filter((object) => before?.[object] !== after?.[object]);
}

describe("the tags of a mapping", () => {
  it.each([
    ["what is written out and what is left to its default", { objects: { Case: { fields: {}, values: {} } } }],
    ["links that heal", { objects: { Contact: { relationships: { AccountId: "heal" } } } }],
    ["how an object is read, and in which phase", { objects: { Case: { api: "bulk", phase: 2 } } }],
    ["owners by e-mail", { owners: { by_email: true } }],
    [
      "events, repeated runs, files and the limit of requests",
      { send_events: true, repeat: "decide", files: { copy: true } },
    ],
  ])("are the same for %s", (_, given) => {
    expect(differing({}, given)).toEqual([]);
  });

  it.each([
    ["a field", { objects: { Contact: { fields: { Phone: null } } } }, ["Contact"]],
    ["a value", { objects: { Case: { values: { Status: { New: "closed" } } } } }, ["Case"]],
    ["a link", { objects: { Contact: { relationships: { AccountId: "keep_id" } } } }, ["Contact"]],
    [
      "attachments in threads",
      { threads: { attachments: false } },
      ["CaseComment", "EmailMessage", "FeedItem", "FeedComment"],
    ],
  ])("differ with %s, of the objects concerned", (_, given, objects) => {
    expect(differing({}, given)).toEqual(objects);
  });

  it("differ for all objects with the owners", () => {
    expect(differing({}, { owners: { fallback: MEMBER } })).toHaveLength(12);
  });

  it("are there for what is selected", () => {
    const tags = mappingTags(configurationSchema.parse({ objects: { Case: { selected: false } } }));
    expect(tags).not.toHaveProperty("Case");
    expect(tags).toHaveProperty("Contact");
  });
});
