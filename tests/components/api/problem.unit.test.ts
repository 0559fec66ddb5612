import { describe, expect, it } from "vitest";

import { asProblem, isPassing, Problem, readProblem } from "@/components/api/problem";

describe("the problem of an unsuccessful answer", () => {
  it("is read from a problem document with its faults", async () => {
    const body = {
      title: "The address is not valid",
      status: 422,
      detail: "Check it.",
      code: "source_url_invalid",
      request_id: "r1",
      errors: [{ pointer: "/ext_instance_url", code: "source_url_invalid", detail: "No address." }],
    };
    const problem = await readProblem(new Response(JSON.stringify(body), { status: 422 }));
    expect(problem).toMatchObject({
      title: body.title,
      message: body.detail,
      status: 422,
      code: body.code,
      requestId: "r1",
      errors: body.errors,
    });
  });

  it("speaks of the session, not of access tokens, when that has ended", async () => {
    const body = { title: "Sign in or send a valid access token", detail: "Send a bearer.", code: "unauthenticated" };
    const problem = await readProblem(new Response(JSON.stringify(body), { status: 401 }));
    expect(problem).toMatchObject({ title: "Your session has ended", status: 401, requestId: null });
    expect(problem.message).not.toMatch(/token|bearer/i);
  });

  it("speaks of somebody else's change, not of versions and headers", async () => {
    const body = {
      title: "The record is not as expected",
      detail: "If-Match rules it out.",
      code: "precondition_failed",
    };
    const problem = await readProblem(new Response(JSON.stringify(body), { status: 412 }));
    expect(problem).toMatchObject({ title: "This was changed meanwhile", status: 412, code: body.code });
    expect(problem.message).not.toContain("If-Match");
  });

  it("tells of the deletion of what was asked for", async () => {
    const deletion = {
      deleted_at: "2026-11-02T09:30:00.000Z",
      deleted_by_id: "u1",
      migration_id: null,
      restorable_until: "",
      name: "Neckar",
      is_part: false,
      belongs_to: null,
    };
    const body = { title: "Not found", detail: "It was deleted.", code: "not_found", deletion };
    expect(await readProblem(new Response(JSON.stringify(body), { status: 404 }))).toMatchObject({ deletion });
  });

  it.each([
    [["No name."], "No name."],
    [["No name.", "No day."], "Some of the input is not valid."],
  ])("does not send people to `errors`, which they do not see: %j", async (details, message) => {
    const errors = details.map((detail, index) => ({ pointer: `/${index}`, code: "invalid_value", detail }));
    const detail = "Some of the input is not valid; see `errors`.";
    const body = { title: "Not valid", detail, code: "invalid_request", errors };
    expect(await readProblem(new Response(JSON.stringify(body), { status: 400 }))).toMatchObject({ message, errors });
  });

  it("is a general sentence when a proxy answered with a page", async () => {
    const problem = await readProblem(new Response("<html>Bad gateway</html>", { status: 502 }));
    expect(problem.status).toBe(502);
    expect(problem.message).toContain("502");
  });

  it.each([
    [0, "network", true],
    [0, "timeout", true],
    [429, "rate_limited", true],
    [503, "service_unavailable", true],
    [400, "invalid_request", false],
    [0, "page_error", false],
  ])("of status %i (%s) is passing: %s", (status, code, passes) => {
    expect(isPassing(new Problem({ title: "t", detail: "d", status, code }))).toBe(passes);
  });

  it("has a sentence for any thrown value", () => {
    const refusal = new Problem({ title: "t", detail: "d", status: 400, code: "c" });
    expect(asProblem(refusal)).toBe(refusal);
    expect(asProblem(new TypeError("x is not a function")).message).not.toContain("x is not");
  });
});
