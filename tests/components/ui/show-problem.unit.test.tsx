import { MantineProvider } from "@mantine/core";
import { notificationsStore } from "@mantine/notifications";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";

import { Problem } from "@/components/api/problem";
import { FailureList } from "@/components/records/list/bulk/failure-list";
import { ProblemAlert } from "@/components/ui/feedback/problem-alert";
import { showProblem } from "@/components/ui/feedback/show-problem";
import { NOT_LOADED, sayNotLoaded } from "@/components/ui/overlay/loading";
import { markupOf } from "@/tests/components/support/app-router";

const failure = (id: string, requestId: string | null) => ({ id, name: id, version: 1, reason: "No.", requestId });

const show = (shown: React.ReactNode) => renderToStaticMarkup(<MantineProvider>{shown}</MantineProvider>);

function shownMessages() {
  const { notifications, queue } = notificationsStore.getState();
  return [...notifications, ...queue];
}

test("a refusal of what was left behind stays until it is closed, and names its request", () => {
  const refusal = { title: "Not restored", detail: "The account is gone.", status: 409, code: "conflict" };
  showProblem(new Problem({ ...refusal, request_id: "r1" }), { title: "No undo" });
  const [shown] = shownMessages();
  expect(shown).toMatchObject({ title: "No undo", autoClose: false });
  expect(show(shown?.message)).toContain("The account is gone.");
  expect(show(shown?.message)).toContain("Request r1");
});

test("whose session has ended can sign in beside the page, and then try again", () => {
  const ended = new Problem({ title: "Ended", detail: "Sign in again.", status: 401, code: "unauthenticated" });
  const shown = markupOf(<ProblemAlert error={ended} onRetry={() => undefined} />);
  expect(shown).toContain('href="/sign-in?next=%2Fleads%3Fq%3Dada"');
  expect(shown).toContain("Try again");
  showProblem(ended);
  expect(markupOf(shownMessages().at(-1)?.message)).toContain('href="/sign-in?next=%2Fleads%3Fq%3Dada"');
});

test("that a part of the page could not be loaded is said once, and stays until it is closed", () => {
  sayNotLoaded();
  sayNotLoaded();
  const said = shownMessages().filter(({ title }) => title === NOT_LOADED.title);
  expect(said).toMatchObject([{ autoClose: false }]);
});

test("records that were not changed are listed with the id of each request once", () => {
  const failures = [failure("a", "r1"), failure("b", "r1"), failure("c", "r2"), failure("d", null)];
  const text = show(<FailureList title="4 were not changed" failures={failures} />);
  expect(text.match(/Request \w+/g)).toEqual(["Request r1", "Request r2"]);
  expect(text.indexOf("Request r1")).toBeGreaterThan(text.indexOf(">b<"));
});
