import { describe, expect, test } from "vitest";

import { newId } from "@/lib/ids";
import { escalateCase } from "@/lib/records/escalate-case";
import { createOperation, getOperation, updateOperation } from "@/lib/records/operations";
import { createContext, NEEDED } from "@/tests/support/factories";

import { eventsOf, refusal, run } from "@/tests/records/support/write-operations";

describe("escalating a case", () => {
  test("sets flag, time, reason and status in one change, and emits its own event", async () => {
    const context = await createContext();
    const before = await run(createOperation("cases"), context, NEEDED.cases);
    const after = await run(escalateCase, context, { id: before.id, reason: "The line stands still." });
    expect(after).toEqual({
      ...before,
      status: "escalated",
      is_escalated: true,
      escalated_at: expect.any(String),
      escalation_reason: "The line stands still.",
      version: 2,
      updated_at: expect.any(String),
    });
    expect(await run(getOperation("cases"), context, { id: before.id })).toEqual(after);
    const emitted = (await eventsOf(before.id)).slice(1);
    expect(emitted.map(({ type }) => type)).toEqual(["case.updated", "case.escalated"]);
    for (const { object, previous } of emitted) {
      expect(object).toEqual(after);
      expect(previous).toEqual({ status: "new", is_escalated: false, escalated_at: null, escalation_reason: null });
    }
  });

  test("works once: an escalated or closed case is refused, and of 8 concurrent requests one succeeds", async () => {
    const context = await createContext();
    const { id } = await run(createOperation("cases"), context, NEEDED.cases);
    const outcomes = await Promise.allSettled(
      Array.from({ length: 8 }, () => run(escalateCase, context, { id, reason: "Now" })),
    );
    expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    expect((await eventsOf(id)).filter(({ type }) => type === "case.escalated")).toHaveLength(1);
    expect(await refusal(run(escalateCase, context, { id, reason: "Again" }))).toEqual({
      code: "illegal_state",
      errors: [],
    });
    await run(updateOperation("cases"), context, { id, status: "closed" });
    expect(await refusal(run(escalateCase, context, { id, reason: "Again" }))).toEqual({
      code: "illegal_state",
      errors: [],
    });
  });

  test("the flag stays through other statuses until the case is closed; time and reason remain", async () => {
    const context = await createContext();
    const { id } = await run(createOperation("cases"), context, NEEDED.cases);
    await run(escalateCase, context, { id, reason: "Now" });
    expect(await run(updateOperation("cases"), context, { id, status: "in_progress" })).toMatchObject({
      is_escalated: true,
    });
    expect(await run(updateOperation("cases"), context, { id, status: "escalated" })).toMatchObject({
      is_escalated: true,
    });
    expect(await run(updateOperation("cases"), context, { id, status: "closed" })).toMatchObject({
      is_escalated: false,
      escalation_reason: "Now",
    });
    await run(updateOperation("cases"), context, { id, status: "new" });
    expect(await run(escalateCase, context, { id, reason: "Again" })).toMatchObject({
      is_escalated: true,
      escalation_reason: "Again",
    });
  });

  test("cannot be bypassed: setting the status is refused, with the name of the action", async () => {
    const context = await createContext();
    const { id } = await run(createOperation("cases"), context, NEEDED.cases);
    for (const [operation, input] of [
      [updateOperation("cases"), { id, status: "escalated" }],
      [createOperation("cases"), { ...NEEDED.cases, status: "escalated" }],
    ] as const) {
      await expect(run(operation, context, input)).rejects.toThrow("POST /api/v1/cases/{id}/escalate");
      expect(await refusal(run(operation, context, input))).toEqual({
        code: "invalid_request",
        errors: ["/status use_action"],
      });
    }
  });

  test("needs a reason, crm:write and a case of the organization", async () => {
    const context = await createContext();
    const { id } = await run(createOperation("cases"), context, NEEDED.cases);
    expect(await refusal(run(escalateCase, context, { id }))).toMatchObject({ code: "invalid_request" });
    expect(await refusal(run(escalateCase, context, { id, reason: "" }))).toMatchObject({ code: "invalid_request" });
    for (const missing of [newId(), "1"])
      expect(await refusal(run(escalateCase, context, { id: missing, reason: "x" }))).toMatchObject({
        code: "not_found",
      });
    expect(await refusal(run(escalateCase, await createContext(), { id, reason: "x" }))).toMatchObject({
      code: "not_found",
    });
    const reader = await createContext({ organizationId: context.organizationId, scopes: ["crm:read"] });
    expect(await refusal(run(escalateCase, reader, { id, reason: "x" }))).toMatchObject({ code: "insufficient_scope" });
  });
});
