import { expect, test } from "vitest";

import { Confirm, ConfirmByTyping } from "@/components/ui/form/confirm";
import { markupOf } from "@/tests/components/support/app-router";

const nothing = () => undefined;

/** The button that does not do what is asked about. */
function keepButton(asks: "plainly" | "by typing", isPending: boolean): string {
  const mutation = { error: null, isError: false, isPending, isSuccess: false };
  const question = { mutation, action: "Delete it", cancel: "Keep it", onConfirm: nothing, onCancel: nothing };
  const markup = markupOf(
    asks === "plainly" ? (
      <Confirm {...question}>It goes.</Confirm>
    ) : (
      <ConfirmByTyping {...question} expected="Neckar" what="its name">
        It goes.
      </ConfirmByTyping>
    ),
  );
  return /<button(?:(?!<button).)*Keep it/s.exec(markup)?.[0] ?? "";
}

test.each(["plainly", "by typing"] as const)("what is under way cannot be kept any more (asked %s)", (asks) => {
  expect(keepButton(asks, false)).not.toContain('disabled=""');
  expect(keepButton(asks, true)).toContain('disabled=""');
});
