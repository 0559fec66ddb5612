import { expect, test } from "vitest";

import { PageActions } from "@/components/ui/form/page-actions";
import { markupOf } from "@/tests/components/support/app-router";

/** The button or link that leaves the form. */
function cancelOf(mutation: { isPending: boolean; isSuccess: boolean }): string {
  const markup = markupOf(
    <PageActions mutation={mutation} back="/accounts">
      Save changes
    </PageActions>,
  );
  return /<(?:a|button)(?:(?!<a|<button).)*Cancel/s.exec(markup)?.[0] ?? "";
}

test("a form that has nothing to send says so on its button, which can have the focus all the same", () => {
  const markup = markupOf(
    <PageActions mutation={{ isPending: false, isSuccess: false }} back="/accounts" isUnchanged>
      Save changes
    </PageActions>,
  );
  const button = /<button[^>]*type="submit"[^>]*>/.exec(markup)?.[0];
  expect(button).toContain('aria-disabled="true"');
  expect(button).not.toContain(' disabled=""');
});

test("a form is left by a link until it is sent; then nobody can take that for having cancelled it", () => {
  expect(cancelOf({ isPending: false, isSuccess: false })).toContain('href="/accounts"');
  for (const sent of [
    { isPending: true, isSuccess: false },
    { isPending: false, isSuccess: true },
  ]) {
    expect(cancelOf(sent)).toContain('disabled=""');
    expect(cancelOf(sent)).not.toContain("href");
  }
});
