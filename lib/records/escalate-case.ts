import { z } from "zod";

import { answeringTransaction } from "@/lib/database/transactions";
import { AppError } from "@/lib/errors";
import { pathId } from "@/lib/input/ids-and-times";
import { defineOperation, JsonText } from "@/lib/operation";
import { supportCase } from "@/lib/records/entities/case";
import { assertRecordId } from "@/lib/records/get-record";
import { required } from "@/lib/records/schema/field";
import { fieldInput, recordOutput } from "@/lib/records/schema/field-schema";
import type { Values } from "@/lib/records/schema/write-input";
import { lockRecord } from "@/lib/records/write/lock-records";
import { changeRecords } from "@/lib/records/write/update-record";

/**
 * Escalates a case: sets status, flag, time and reason in one change, and emits `case.escalated` beside `case.updated`.
 * The flag stays through other statuses until the case is closed. Throws `not_found`, `precondition_failed`, or
 * `illegal_state` for a case that is closed or already escalated.
 */
export const escalateCase = defineOperation({
  name: "escalate_case",
  summary: "Escalate a case, with the reason. It stays escalated until it is closed.",
  scopes: ["crm:write"],
  stores: true,
  conditional: true,
  input: z.strictObject({ id: pathId("case"), reason: fieldInput(required(supportCase.fields.escalation_reason)) }),
  output: recordOutput(supportCase),
  run: (context, { id, reason }) => {
    assertRecordId(supportCase, id);
    return answeringTransaction(context, async (client) => {
      const before = await lockRecord(client, supportCase, context, id);
      assertEscalatable(before.values);
      const given = {
        status: "escalated",
        is_escalated: true,
        escalated_at: new Date().toISOString(),
        escalation_reason: reason,
      };
      const [after] = await changeRecords(client, supportCase, context, [{ before, given }]);
      return new JsonText(after?.json ?? before.json);
    });
  },
});

function assertEscalatable({ status, is_escalated: isEscalated, escalated_at: since }: Values): void {
  if (status === "closed")
    throw new AppError("illegal_state", "The case is closed. Reopen it (change its `status`), then escalate it.");
  if (isEscalated === true)
    throw new AppError("illegal_state", `The case is already escalated${since ? `, since ${since as string}` : ""}.`);
}
