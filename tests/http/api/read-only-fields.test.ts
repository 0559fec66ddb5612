import { expect, test } from "vitest";

import { AppError } from "@/lib/errors";
import { newId } from "@/lib/ids";
import { execute, type Operation } from "@/lib/operation";
import { batchOperation } from "@/lib/records/batch/batch-operation";
import { upsertOperation } from "@/lib/records/ext-id-operations";
import { createOperation } from "@/lib/records/operations";
import { createContext } from "@/tests/support/factories";

async function detailsOf(operation: Operation, input: object): Promise<string[]> {
  const error = await execute(operation, await createContext(), input).catch((thrown: unknown) => thrown);
  if (!(error instanceof AppError)) throw new Error("It was not refused.");
  expect(error.code).toBe("invalid_request");
  return error.errors.map(({ code, detail }) => `${code} ${detail}`);
}

test.each([
  ["opportunities", "is_closed"],
  ["opportunities", "stage_changed_at"],
  ["cases", "case_number"],
  ["accounts", "version"],
  ["accounts", "created_at"],
  ["case_comments", "id"],
] as const)("of %s, `%s` is said to be the service's to set", async (resource, name) => {
  const refused = `unknown_field \`${name}\` is set by the service; leave it out.`;
  expect(await detailsOf(createOperation(resource), { [name]: 1 })).toContain(refused);
  expect(await detailsOf(upsertOperation(resource), { ext_id: "1", [name]: 1 })).toContain(refused);
  const items = [
    { action: "create", data: { [name]: 1 } },
    { action: "update", id: newId(), data: { [name]: 1 } },
  ];
  const ofItems = await detailsOf(batchOperation(resource), { mode: "all_or_nothing", items });
  expect(ofItems.filter((each) => each === refused)).toHaveLength(items.length);
});
