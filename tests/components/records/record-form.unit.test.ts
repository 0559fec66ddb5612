import { describe, expect, test } from "vitest";

import { faultOfName } from "@/components/records/form/add-custom-field";
import { customInputs } from "@/components/records/form/custom-inputs";
import { mergeVersions } from "@/components/records/form/merge-versions";
import { assertNumbers, faultsOfRecord } from "@/components/records/form/record-faults";
import {
  changesOf,
  creationOf,
  formFields,
  initialValues,
  offered,
  valuesOf,
} from "@/components/records/form/record-values";
import type { AnyRecord } from "@/components/records/record";
import { toLocalTime } from "@/components/ui/text/time-zone";
import { INVISIBLE_FAULT } from "@/lib/input/invisible-characters";
import { RESOURCES, type ResourceName } from "@/lib/records/schema/resources";
import { createInput } from "@/lib/records/schema/write-input";
import { ENTITIES } from "@/lib/records/schema/registry";

const CONTACT: AnyRecord = {
  id: "01900000-0000-7000-8000-000000000001",
  created_at: "2026-01-01T00:00:00.000Z",
  custom_fields: {},
  version: 3,
  last_name: "Lovelace",
  first_name: "Ada",
  phone: null,
  birthdate: "1815-12-10",
  do_not_call: false,
};

test.each(RESOURCES)(
  "a form of %s has every field that the API lets clients write, but those of imports",
  (resource) => {
    const writable = Object.keys(createInput(ENTITIES[resource]).shape);
    const elsewhere = writable.filter((name) => !formFields(resource).some(([field]) => field === name));
    expect(elsewhere.toSorted()).toEqual(["custom_fields", "ext_id"]);
  },
);

describe("changes", () => {
  const values = valuesOf("contacts", CONTACT);

  test("a form that nobody has touched changes nothing", () => {
    expect(changesOf("contacts", CONTACT, values)).toEqual({});
  });

  test("only what differs is sent; an emptied field as null", () => {
    const edited = { ...values, phone: "030 1", first_name: "", do_not_call: true, birthdate: " " };
    expect(changesOf("contacts", CONTACT, edited)).toEqual({
      phone: "030 1",
      first_name: null,
      do_not_call: true,
      birthdate: null,
    });
  });

  test("numbers are sent as numbers, and what is none as it is, for the API to refuse", () => {
    const deal = { ...CONTACT, amount: 10, probability: null };
    const edited = { ...valuesOf("opportunities", deal), amount: "12.5", probability: "many" };
    expect(changesOf("opportunities", deal, edited)).toEqual({ amount: 12.5, probability: "many" });
  });

  test.each([
    ["12,500", 12_500],
    ["1,234,567.5", 1_234_567.5],
    [" -12,500.50 ", -12_500.5],
    ["12500.50", 12_500.5],
    ["12,5", "12,5"],
    ["12.500,00", "12.500,00"],
    ["1,2345", "1,2345"],
  ])("a number is read as the pages write it, and no comma is guessed to be a decimal point: %s", (written, sent) => {
    const edited = { ...valuesOf("opportunities", CONTACT), amount: written };
    expect(changesOf("opportunities", CONTACT, edited)).toEqual({ amount: sent });
  });

  test("a moment stays the same through an input without time zone", () => {
    const meeting = { ...CONTACT, start_at: "2026-03-29T14:30:00.000Z" };
    const shown = valuesOf("activities", meeting);
    expect(changesOf("activities", { ...meeting, start_at: null }, shown)).toEqual({ start_at: meeting.start_at });
  });
});

function thrownBy(run: () => void): unknown {
  try {
    run();
  } catch (error) {
    return error;
  }
  return null;
}

describe("custom fields", () => {
  const custom = {
    Renewal_Tier__c: "gold",
    "Task.Score__c": 12.5,
    Is_Strategic__c: false,
    Renewal_Date__c: "2026-04-19",
    SLA__c: "2026-08-04T13:58:00.000+0000",
    "Owner.Name": "Vera",
    OwnerId: "005Hs000003000BIAQ",
    EventRelations: [{ Name: "Ada" }],
  };
  const item = { ...CONTACT, custom_fields: custom };
  const values = valuesOf("contacts", item);
  const changed = (edits: Record<string, string>) => changesOf("contacts", item, { ...values, ...edits });

  test("have an input by the kind of their value, but no list, no object and no id of Salesforce", () => {
    const inputs = Object.keys(values).filter((name) => name.startsWith("custom:"));
    expect(inputs).toEqual([
      "custom:text:Renewal_Tier__c",
      "custom:number:Task%2EScore__c",
      "custom:boolean:Is_Strategic__c",
      "custom:date:Renewal_Date__c",
      "custom:timestamp:SLA__c",
    ]);
    expect(changed({})).toEqual({});
  });

  test("are sent alone, as what they are; one that is emptied as null, which removes it", () => {
    expect(
      changed({
        "custom:text:Renewal_Tier__c": "",
        "custom:number:Task%2EScore__c": "1,200.5",
        "custom:boolean:Is_Strategic__c": "yes",
        "custom:date:Renewal_Date__c": "2026-05-01",
        "custom:timestamp:SLA__c": toLocalTime("2026-08-05T00:00:00.000Z"),
      }),
    ).toEqual({
      custom_fields: {
        Renewal_Tier__c: null,
        "Task.Score__c": 1200.5,
        Is_Strategic__c: true,
        Renewal_Date__c: "2026-05-01",
        SLA__c: "2026-08-05T00:00:00.000Z",
      },
    });
    expect(changed({ "custom:boolean:Is_Strategic__c": "" })).toEqual({ custom_fields: { Is_Strategic__c: null } });
  });

  test("are added to a record and to a new one, but not while they are empty", () => {
    const added = { "custom:number:Seats": "7", "custom:text:Region": "" };
    expect(changed(added)).toEqual({ custom_fields: { Seats: 7 } });
    const blank = initialValues("accounts", { name: "Acme" });
    expect(creationOf("accounts", { ...blank, ...added })).toMatchObject({ custom_fields: { Seats: 7 } });
    expect(creationOf("accounts", blank)).not.toHaveProperty("custom_fields");
  });

  test.each([
    ["", "Enter a name."],
    ["__proto__", "A custom field cannot have this name. Enter another one."],
    ["Region\u202e", INVISIBLE_FAULT],
    ["\u200b", INVISIBLE_FAULT],
    ["Region", "The record has a custom field of this name already."],
    ["Regions", null],
  ])("cannot get a name that nobody can read or that the API refuses: %j", (name, fault) => {
    expect(faultOfName(name, ["Region"])).toBe(fault);
  });

  test("keep their kind: what is no number is refused at its input", () => {
    expect(() => assertNumbers(values)).not.toThrow();
    const input = "custom:number:Task%2EScore__c";
    const refusal = thrownBy(() => assertNumbers({ ...values, [input]: "12,5" }));
    expect(faultsOfRecord("contacts", refusal)).toEqual({ [input]: "Write a number, like 12500.50." });
  });

  test("that both have changed are contested, and those of others are taken over", () => {
    const theirs = { ...custom, Renewal_Tier__c: "silver", Is_Strategic__c: true, Region: "South" };
    const mine = { ...values, "custom:text:Renewal_Tier__c": "bronze" };
    const now = { ...item, custom_fields: theirs };
    const merged = mergeVersions("contacts", item, now, mine);
    expect(merged.contested).toEqual(["custom:text:Renewal_Tier__c"]);
    expect(merged.taken).toEqual(["custom:boolean:Is_Strategic__c", "custom:text:Region"]);
    expect(changesOf("contacts", now, merged.values)).toEqual({ custom_fields: { Renewal_Tier__c: "bronze" } });
  });

  test("that both have changed are contested also where others have made a number of a text", () => {
    const input = "custom:text:Renewal_Tier__c";
    const now = { ...item, custom_fields: { ...custom, Renewal_Tier__c: 5 } };
    const merged = mergeVersions("contacts", item, now, { ...values, [input]: "bronze" });
    expect(merged).toMatchObject({ contested: [input], taken: [], theirs: { [input]: "5" } });
    expect(changesOf("contacts", now, merged.values)).toEqual({ custom_fields: { Renewal_Tier__c: "bronze" } });
    expect(changesOf("contacts", now, { ...merged.values, [input]: "5" })).toEqual({});
    const later = { ...now, phone: "theirs" };
    expect(mergeVersions("contacts", now, later, merged.values)).toMatchObject({ contested: [], taken: ["phone"] });
  });

  test("whose kind only others have changed are taken over once, in the input of their new kind", () => {
    const [text, number] = ["custom:text:Renewal_Tier__c", "custom:number:Renewal_Tier__c"];
    const now = { ...item, custom_fields: { ...custom, Renewal_Tier__c: 5 } };
    const merged = mergeVersions("contacts", item, now, values);
    expect(merged).toMatchObject({ contested: [], taken: [number], values: { [number]: "5" } });
    const inputs = customInputs(merged.values).map(({ input }) => input);
    expect(inputs).toContain(number);
    expect(inputs).not.toContain(text);
    expect(changesOf("contacts", now, merged.values)).toEqual({});
    const back = mergeVersions("contacts", now, item, merged.values);
    expect(back).toMatchObject({ contested: [], taken: [text], values: { [text]: "gold" } });
    expect(customInputs(back.values).map(({ input }) => input)).not.toContain(number);
  });
});

test("a new record has the usual values and those that are given, and sends no empty ones", () => {
  const values = initialValues("cases", { account_id: CONTACT.id, unknown: "x", constructor: "y" });
  expect(values).toMatchObject({ status: "new", priority: "medium", account_id: CONTACT.id, subject: "" });
  expect(creationOf("cases", { ...values, subject: "The pump leaks" })).toEqual({
    status: "new",
    priority: "medium",
    account_id: CONTACT.id,
    subject: "The pump leaks",
  });
});

function namesOf(resource: ResourceName): string[] {
  return formFields(resource).map(([name]) => name);
}

function statusesOf(resource: ResourceName, item: object): readonly unknown[] | undefined {
  const field = formFields(resource).find(([name]) => name === "status")?.[1];
  return field && offered("status", field, { ...item }).values;
}

test("a form begins with what a record is called and how it stands", () => {
  expect(namesOf("cases").slice(0, 4)).toEqual(["subject", "status", "priority", "account_id"]);
  expect(namesOf("opportunities").slice(0, 3)).toEqual(["name", "stage", "account_id"]);
  expect(namesOf("contacts").slice(0, 4)).toEqual(["salutation", "first_name", "last_name", "account_id"]);
  expect(namesOf("cases").at(-1)).toBe("owner_id");
});

test("a value that only an action sets is offered for records that have it, and for no others", () => {
  expect(statusesOf("leads", {})).not.toContain("converted");
  expect(statusesOf("leads", { status: "new" })).toContain("qualified");
  expect(statusesOf("leads", { status: "converted" })).toContain("converted");
  expect(statusesOf("cases", { status: "new" })).not.toContain("escalated");
  expect(statusesOf("cases", { status: "in_progress", is_escalated: true })).toContain("escalated");
});

/** The status with which a new activity is sent. */
function sentStatus(given: Record<string, string>): unknown {
  return creationOf("activities", { ...initialValues("activities", {}), subject: "Call", ...given }).status;
}

test("a task without a status is to do, unless it was done at a time; other activities have none", () => {
  expect(sentStatus({ type: "task" })).toBe("not_started");
  expect(sentStatus({ type: "task", status: "waiting" })).toBe("waiting");
  expect(sentStatus({ type: "task", completed_at: "2026-12-01T09:00" })).toBeUndefined();
  expect(sentStatus({ type: "note" })).toBeUndefined();
});

test("a required field that is empty is sent, so that the API names it", () => {
  expect(creationOf("accounts", initialValues("accounts", {}))).toMatchObject({ name: "" });
});

test("what only others changed is taken over; what both changed is contested", () => {
  const now = { ...CONTACT, version: 4, phone: "theirs", first_name: "Augusta", title: "Countess" };
  const mine = { ...valuesOf("contacts", CONTACT), phone: "mine", last_name: "King", title: "Countess" };
  const { values, taken, contested } = mergeVersions("contacts", CONTACT, now, mine);
  expect({ taken, contested }).toEqual({ taken: ["first_name"], contested: ["phone"] });
  expect(values).toMatchObject({ first_name: "Augusta", phone: "mine", last_name: "King", title: "Countess" });
  expect(changesOf("contacts", now, values)).toEqual({ phone: "mine", last_name: "King" });
});
