import { expect, test } from "vitest";

import { replaceSent } from "@/components/ui/form/replace-sent";

type Values = Record<"name" | "note", string>;

/** What a form has once `sent` came back as `now`, into which `typed` was typed meanwhile. */
function after(sent: Values, now: Values, typed: Partial<Values> = {}): Values {
  let values = { ...sent, ...typed };
  const form = {
    getValues: () => values,
    setValues: (change: object) => void (values = { ...values, ...change }),
  };
  replaceSent<Values>(form, sent, now);
  return values;
}

const SENT = { name: " Ada ", note: "First" };

test("what was saved stands in the form as it was stored", () => {
  expect(after(SENT, { name: "Ada", note: "First" })).toEqual({ name: "Ada", note: "First" });
});

test("what is typed while a save is under way stays", () => {
  expect(after(SENT, { name: "Ada", note: "First" }, { note: "First, and more" })).toEqual({
    name: "Ada",
    note: "First, and more",
  });
  expect(after(SENT, { name: "", note: "" }, { note: "Next" })).toEqual({ name: "", note: "Next" });
});
