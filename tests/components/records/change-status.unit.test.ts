import { describe, expect, test } from "vitest";

import { nextStep } from "@/components/records/actions/change-status";

describe("the button that ends or opens a record", () => {
  test.each([
    ["cases", { status: "waiting_on_customer" }, "Close", "closed"],
    ["cases", { status: "closed" }, "Reopen", "in_progress"],
    ["activities", { type: "task", status: "in_progress" }, "Complete", "completed"],
    ["activities", { type: "task", status: null }, "Complete", "completed"],
    ["activities", { type: "task", status: "cancelled" }, "Reopen", "not_started"],
    ["activities", { type: "call", status: "not_started" }, "Complete", "completed"],
  ] as const)("%s with %o: %s", (resource, item, label, status) => {
    expect(nextStep(resource, item)).toMatchObject({ label, status });
  });

  test("what took place is not opened again, and what was only logged not ended", () => {
    expect(nextStep("activities", { type: "call", status: "completed" })).toBeNull();
    expect(nextStep("activities", { type: "email", status: null })).toBeNull();
    expect(nextStep("contacts", { status: "new" })).toBeNull();
  });
});
