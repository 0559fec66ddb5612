import { beforeEach, describe, expect, test } from "vitest";

import { differences, type Found } from "@/tests/benchmarks/soak-kills/compare-ledger";
import { Ledger } from "@/tests/benchmarks/soak-kills/ledger";

let ledger: Ledger;

/** An account that was changed, and one that was deleted, in both the ledger and the service. */
let found: { -readonly [Name in keyof Found]: Found[Name] };

beforeEach(() => {
  ledger = new Ledger();
  ledger.enter("accounts", { id: "a", version: 1, name: "Alpine Tools" });
  ledger.enter("accounts", { id: "a", version: 2, name: "Alpine Pumps" });
  ledger.enter("products", { id: "p", version: 1, name: "Pump" });
  ledger.enterDeletion("p");
  found = {
    records: [{ id: "a", version: 2, name: "Alpine Pumps" }],
    events: [
      { eventId: "1", type: "account.created", id: "a", version: 1 },
      { eventId: "2", type: "account.updated", id: "a", version: 2 },
      { eventId: "3", type: "product.created", id: "p", version: 1 },
      { eventId: "4", type: "product.deleted", id: "p", version: 1 },
    ],
    // Webhooks get nothing of products.
    received: new Set(["1", "2"]),
  };
});

describe("the comparison of a ledger", () => {
  test("finds nothing where everything is as acknowledged", () => {
    expect(differences(ledger, found)).toEqual([]);
  });

  test("finds a lost record, and one that an older write has overwritten", () => {
    expect(differences(ledger, { ...found, records: [] })).toEqual([
      "accounts a is missing; version 2 was acknowledged.",
    ]);
    const older = { id: "a", version: 2, name: "Alpine Tools" };
    expect(differences(ledger, { ...found, records: [older] })).toEqual([expect.stringContaining("accounts a is {")]);
  });

  test("finds a record that was created twice, one that was deleted in vain, and one that is shown twice", () => {
    const doubled = { id: "b", version: 1, name: "Alpine Tools" };
    expect(differences(ledger, { ...found, records: [...found.records, doubled] })).toEqual([
      `No answer tells of the record ${JSON.stringify(doubled)}.`,
    ]);
    const deleted = { id: "p", version: 1, name: "Pump" };
    expect(differences(ledger, { ...found, records: [...found.records, deleted] })).toEqual([
      "products p was deleted, and is there.",
    ]);
    expect(differences(ledger, { ...found, records: [...found.records, ...found.records] })).toEqual([
      "1 records are shown twice.",
    ]);
  });

  test("finds a write without its event, with two, and an event of a write that nobody was told of", () => {
    const lost = found.events.filter(({ eventId }) => eventId !== "4");
    expect(differences(ledger, { ...found, events: lost })).toEqual([
      "product.deleted of p, version 1, was acknowledged, and emitted 0 times.",
    ]);
    const twice = { eventId: "5", type: "product.created", id: "p", version: 1 };
    expect(differences(ledger, { ...found, events: [...found.events, twice] })).toEqual([
      "product.created of p, version 1, was acknowledged, and emitted 2 times.",
    ]);
    const silent = { eventId: "5", type: "product.updated", id: "p", version: 2 };
    expect(differences(ledger, { ...found, events: [...found.events, silent] })).toEqual([
      "No answer tells of the event 5: product.updated of p, version 2.",
    ]);
  });

  test("finds an event that was not delivered, and a delivery under another id", () => {
    expect(differences(ledger, { ...found, received: new Set(["1", "6"]) })).toEqual([
      "The event 2 was not delivered: account.updated of a, version 2.",
      "A delivery has the id 6, which no event has.",
    ]);
  });

  test("takes no notice of the events of other records, and of events beside a change", () => {
    const others = [
      { eventId: "5", type: "case_comment.deleted", id: "of a migration", version: 1 },
      { eventId: "6", type: "product.escalated", id: "p", version: 1 },
    ];
    expect(differences(ledger, { ...found, events: [...found.events, ...others] })).toEqual([]);
  });
});

describe("a ledger", () => {
  test("says which event each write must emit: a restored record is created again", () => {
    ledger.enter("products", { id: "p", version: 2, name: "Pump" });
    expect(ledger.writes.map(({ type, version }) => `${type} ${version}`)).toEqual([
      "account.created 1",
      "account.updated 2",
      "product.created 1",
      "product.deleted 1",
      "product.created 2",
    ]);
  });

  test("expects no event of a write that changes nothing", () => {
    const before = ledger.writes.length;
    ledger.enter("accounts", { id: "a", version: 2, name: "Alpine Pumps" });
    expect(ledger.writes).toHaveLength(before);
  });

  test("refuses an answer that shows a write as lost or as carried out twice", () => {
    expect(() => ledger.enter("accounts", { id: "a", version: 1 })).toThrow("has version 1 after a write of version 2");
    expect(() => ledger.enter("accounts", { id: "a", version: 4 })).toThrow("has version 4 after a write of version 2");
    expect(() => ledger.enter("accounts", { id: "new", version: 2 })).toThrow("has version 2 after");
    expect(() => ledger.enter("products", { id: "p", version: 1 })).toThrow("has version 1 after a write of version 1");
    expect(() => ledger.enterDeletion("p")).toThrow("no record p that could be deleted");
    expect(() => ledger.check({ id: "a", version: 1 })).toThrow("was acknowledged as");
  });
});
