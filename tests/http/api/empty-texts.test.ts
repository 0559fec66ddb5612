import { expect, test } from "vitest";

import { AppError } from "@/lib/errors";
import { execute } from "@/lib/operation";
import { escalateCase } from "@/lib/records/escalate-case";
import { createOperation } from "@/lib/records/operations";
import { createContext } from "@/tests/support/factories";

test.each([
  [createOperation("accounts"), { name: "" }, "It must not be empty."],
  [createOperation("case_comments"), { body: "" }, "It must not be empty."],
  [escalateCase, { id: "1", reason: "" }, "It must not be empty."],
  [createOperation("accounts"), { name: "A", phone: "" }, "It must not be empty; send null where there is no value."],
])(
  "an empty text is refused, and null is suggested only if it is accepted: $0.name $1",
  async (operation, input, detail) => {
    const error = await execute(operation as never, await createContext(), input).catch((thrown: unknown) => thrown);
    expect(error instanceof AppError && error.errors).toContainEqual(
      expect.objectContaining({ code: "too_short", detail }),
    );
  },
);

test.each(["", " ", "7", "cases"])("a required reference that is %j is refused as an invalid id", async (case_id) => {
  const input = { case_id, body: "It works again." };
  const error = await execute(createOperation("case_comments") as never, await createContext(), input as never).catch(
    (thrown: unknown) => thrown,
  );
  expect(error instanceof AppError && error.errors).toEqual([
    expect.objectContaining({ pointer: "/case_id", code: "invalid_format" }),
  ]);
});
