import { describe, expect, it } from "vitest";

import { choicesFor, withChoices, withTarget, withValue } from "@/components/migration/configure/draft/choices";
import { describeChange } from "@/components/migration/configure/draft/change-words";
import { changesBetween, mergeChoices } from "@/components/migration/configure/draft/changes";
import { suggestedChoices } from "@/components/migration/configure/duplicates/suggested-choices";
import { ownersOf, withOwner } from "@/components/migration/configure/owners/owner-choices";
import { type Configuration, configurationSchema } from "@/lib/migration/configuration/configuration-schema";
import type { FieldReport } from "@/lib/migration/report/report-schema";

const EMPTY: Configuration = configurationSchema.parse({});

function field(source: string, target: string | null): FieldReport {
  return { source, label: source, type: "string", custom: false, target, confidence: "exact", note: null, samples: [] };
}

const fax = field("Fax", "custom_fields");
const name = field("Name", "name");

describe("the changes between two configurations", () => {
  it("are none where only defaults were written down", () => {
    const touched = withChoices(EMPTY, "Account", { selected: true, phase: 1, api: "auto", relationships: {} });
    expect(changesBetween(EMPTY, touched)).toEqual([]);
  });

  it("are one for each choice, in words that people know", () => {
    const changed = withValue(withTarget(EMPTY, "Account", fax, "phone"), "Case", "Status", "Neu", "new");
    const events = { ...withChoices(changed, "Task", { selected: false }), send_events: true };
    expect(changesBetween(EMPTY, events).map(describeChange).toSorted()).toEqual([
      "Accounts: “Fax” goes to Phone",
      "Cases: “Neu” of “Status” becomes New",
      "Options: whether webhooks get events",
      "Tasks: not migrated",
    ]);
  });

  it("count the rules for duplicates of an object as one choice", () => {
    const ruled = withChoices(EMPTY, "Contact", { duplicates: suggestedChoices("Contact", ["email"]) });
    expect(changesBetween(EMPTY, ruled).map(describeChange)).toEqual(["Contacts: rules for duplicates"]);
  });
});

describe("two people's choices", () => {
  const base = withTarget(EMPTY, "Account", fax, "phone");
  const mine = withTarget(base, "Account", name, null);
  const theirs = { ...withTarget(base, "Account", fax, null), send_events: true };

  it("are merged, and nothing of either is lost", () => {
    const { merged, contested } = mergeChoices(base, mine, theirs, "mine");
    expect(contested).toEqual([]);
    expect(merged.send_events).toBe(true);
    expect(choicesFor(merged, "Account").fields).toEqual({ Fax: null, Name: null });
  });

  it.each([
    ["mine", "website"],
    ["theirs", null],
  ] as const)("are, where both changed the same one, %s", (winner, expected) => {
    const same = withTarget(mine, "Account", fax, "website");
    const { merged, contested } = mergeChoices(base, same, theirs, winner);
    expect(contested.map(({ path }) => path.join("."))).toEqual(["objects.Account.fields.Fax"]);
    expect(choicesFor(merged, "Account").fields).toEqual({ Fax: expected, Name: null });
    expect(merged.send_events).toBe(true);
  });

  it("include a choice that one of them has taken back", () => {
    const back = withTarget(base, "Account", fax, "custom_fields");
    const { merged } = mergeChoices(base, back, { ...base, send_events: true }, "mine");
    expect(choicesFor(merged, "Account").fields).toEqual({});
  });

  it("are merged into a configuration without that object, and change no other object or configuration", () => {
    const { merged } = mergeChoices(EMPTY, withOwner(mine, { id: "005A" }, "nobody"), EMPTY, "mine");
    expect(choicesFor(merged, "Account")).toEqual(choicesFor(mine, "Account"));
    expect(merged.owners).toEqual({ by_email: true, members: { "005A": null }, fallback: null });
    expect(choicesFor(EMPTY, "Contact")).toEqual({ selected: true, fields: {}, values: {} });
    expect(ownersOf(EMPTY)).toEqual({ by_email: true, members: {}, fallback: null });
  });
});
