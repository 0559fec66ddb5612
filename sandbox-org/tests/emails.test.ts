import { expect, test } from "vitest";

import { all, byId, type Row } from "./support/records";

test("an e-mail and its task point at each other", () => {
  const tasks = byId("Task");
  const mirrored = all("EmailMessage").filter((row) => row["ActivityId"] !== null);
  expect(mirrored.length).toBeGreaterThan(500);
  expect(new Set(mirrored.map((row) => row["ActivityId"])).size).toBe(mirrored.length);
  for (const email of mirrored) {
    const task = tasks.get(email["ActivityId"]);
    expect(["Email", "ListEmail"]).toContain(task?.["TaskSubtype"]);
    expect(task).toMatchObject({ WhatId: email["ParentId"], CreatedDate: email["CreatedDate"] });
    expect(task?.["Subject"]).toContain(String(email["Subject"] ?? "").slice(0, 200));
  }
});

const isToDo = (email: Row) => email["ParentId"] !== null && email["Status"] === "0";

test("the tasks of unread e-mails of cases are open, and those of other e-mails are closed", () => {
  const tasks = byId("Task");
  const mirrored = all("EmailMessage").filter((row) => row["ActivityId"] !== null);
  expect(mirrored.filter(isToDo).length).toBeGreaterThan(20);
  const wrong = mirrored.filter((email) => {
    const { Status, IsClosed, CompletedDateTime } = tasks.get(email["ActivityId"]) ?? {};
    const isOpen = Status === "Not Started" && IsClosed === false && CompletedDateTime === null;
    const isDone = Status === "Completed" && IsClosed === true;
    return isToDo(email) ? !isOpen : !isDone;
  });
  expect(wrong).toEqual([]);
});

test("some e-mail tasks have no e-mail", () => {
  const mirrored = new Set(all("EmailMessage").map((row) => row["ActivityId"]));
  expect(
    all("Task").filter((row) => row["TaskSubtype"] === "Email" && !mirrored.has(row["Id"])).length,
  ).toBeGreaterThan(20);
});

test("users and contacts send and get e-mails, and each e-mail that names them has one sender", () => {
  const emails = byId("EmailMessage");
  const relations = all("EmailMessageRelation").filter((row) => row["IsDeleted"] === false);
  const senders = relations.filter((row) => row["RelationType"] === "FromAddress");
  expect(senders.length).toBeGreaterThan(20);
  expect(new Set(senders.map((row) => row["EmailMessageId"])).size).toBe(senders.length);
  const wrong = senders.filter((row) => row["RelationId"] !== emails.get(row["EmailMessageId"])?.["FromId"]);
  expect(wrong).toEqual([]);
  expect(new Set(relations.map((row) => String(row["RelationId"]).slice(0, 3)))).toEqual(
    new Set(["003", "005", "nul"]),
  );
});
