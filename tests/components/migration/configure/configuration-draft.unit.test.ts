import { describe, expect, it } from "vitest";

import {
  choicesFor,
  withChoices,
  withSuggestions,
  withTarget,
  withValue,
} from "@/components/migration/configure/draft/choices";
import { type Configuration, configurationSchema } from "@/lib/migration/configuration/configuration-schema";
import { chosenTarget, isMappable, sharedTargets } from "@/lib/migration/configuration/mapping-rules";
import type { FieldReport } from "@/lib/migration/report/report-schema";

const EMPTY: Configuration = configurationSchema.parse({});

function field(source: string, target: string | null): FieldReport {
  return { source, label: source, type: "string", custom: false, target, confidence: "exact", note: null, samples: [] };
}

const industry = field("Industry", "industry");
const sector = field("Sector__c", "custom_fields");

describe("the draft of a configuration", () => {
  it("follows the report until something is chosen", () => {
    const choices = choicesFor(EMPTY, "Account");
    expect(choices.selected).toBe(true);
    expect(chosenTarget(industry, choices.fields)).toBe("industry");
    expect(chosenTarget(sector, choices.fields)).toBe("custom_fields");
  });

  it("keeps a field as a custom field if its target was given to another field", () => {
    const choices = choicesFor(withTarget(EMPTY, "Account", sector, "industry"), "Account");
    expect(chosenTarget(sector, choices.fields)).toBe("industry");
    expect(chosenTarget(industry, choices.fields)).toBe("custom_fields");
  });

  it("deletes a choice that equals the suggestion", () => {
    const there = withTarget(EMPTY, "Account", industry, null);
    expect(choicesFor(there, "Account").fields).toEqual({ Industry: null });
    expect(choicesFor(withTarget(there, "Account", industry, "industry"), "Account").fields).toEqual({});
  });

  it("deletes the values chosen for a former target of the field", () => {
    const status = field("Status", "status");
    const valued = withValue(EMPTY, "Case", "Status", "Parked", "on_hold");
    expect(choicesFor(valued, "Case").values).toEqual({ Status: { Parked: "on_hold" } });
    expect(choicesFor(withTarget(valued, "Case", status, "custom_fields"), "Case").values).toEqual({});
  });

  it("follows the suggestion for a value again when its choice is deleted", () => {
    const valued = withValue(withValue(EMPTY, "Case", "Status", "Parked", "on_hold"), "Case", "Status", "Late", "new");
    const back = withValue(valued, "Case", "Status", "Parked", "");
    expect(choicesFor(back, "Case").values).toEqual({ Status: { Late: "new" } });
    expect(choicesFor(withValue(back, "Case", "Status", "Late", ""), "Case").values).toEqual({});
  });

  it("follows the report again when an object is reset to what is suggested", () => {
    const chosen = withTarget(
      withValue(EMPTY, "Case", "Status", "Late", "new"),
      "Case",
      field("Origin", "origin"),
      null,
    );
    expect(choicesFor(withSuggestions(chosen, "Case"), "Case")).toEqual({ selected: true, fields: {}, values: {} });
  });

  it("lists a target that was chosen for two fields, but not custom fields or null", () => {
    const sent = ["A__c", "B__c"].reduce(
      (draft, source) => withTarget(draft, "Account", field(source, "custom_fields"), "rating"),
      EMPTY,
    );
    const left = ["C__c", "D__c"].reduce(
      (draft, source) => withTarget(draft, "Account", field(source, "custom_fields"), null),
      sent,
    );
    expect(sharedTargets(choicesFor(left, "Account").fields)).toEqual([["rating", ["A__c", "B__c"]]]);
  });

  it("stays a configuration that the API accepts", () => {
    const fax = withTarget(EMPTY, "Contact", field("Fax", "custom_fields"), null);
    const draft = withChoices(fax, "Task", { selected: false });
    expect(configurationSchema.safeParse(draft).success).toBe(true);
  });

  it("does not offer other targets for the fields of the record's id and dates", () => {
    expect(isMappable("Account", field("Id", "ext_id"))).toBe(false);
    expect(isMappable("Account", field("CreatedDate", "created_at"))).toBe(false);
    expect(isMappable("Account", industry)).toBe(true);
  });
});
