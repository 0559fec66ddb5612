import { afterAll, beforeAll, expect, test } from "vitest";

import { startMcp } from "@/tests/mcp/support/http-server";
import { runConformance } from "@/tests/service/support/conformance-cli";
import { isExhaustive } from "@/tests/support/exhaustive";
import { createAccessToken, createContext } from "@/tests/support/factories";
import { stopHosts } from "@/tests/support/hosts";

let url: string;

beforeAll(async () => {
  url = await startMcp(await createAccessToken(await createContext()));
});
afterAll(stopHosts);

/** The scenarios that need no tools, resources or prompts made for them. */
const SCENARIOS = {
  "2026-07-28": [
    "tools-list",
    "resources-list",
    "prompts-list",
    "sep-2164-resource-not-found",
    "dns-rebinding-protection",
    "caching",
    "http-header-validation",
    "server-sse-multiple-streams",
    "server-stateless",
  ],
  "2025-11-25": [
    "server-initialize",
    "server-session-lifecycle",
    "ping",
    // Both revisions get these from one server.
    ...(isExhaustive ? ["tools-list", "resources-list", "prompts-list", "dns-rebinding-protection"] : []),
  ],
};

/** The checks that do not pass, each with its reason; no others may fail, and these must. */
const EXCEPTED: Record<string, string> = {
  "sep-2575-server-rejects-undeclared-capability": "it calls the tool test_missing_capability",
  "sep-2575-missing-capability-http-400": "it calls the tool test_missing_capability",
  "sep-2575-http-server-no-independent-requests-on-stream": "it calls the tool test_streaming_elicitation",
  "sep-2575-server-no-log-without-loglevel": "it calls the tool test_logging_tool",
  "sep-2575-server-sends-subscription-ack": "nothing that the server lists changes, so it opens no streams",
  "sep-2575-server-tags-subscription-id": "nothing that the server lists changes, so it opens no streams",
};

test.each(Object.entries(SCENARIOS).flatMap(([version, names]) => names.map((name) => [version, name] as const)))(
  "revision %s: %s",
  async (version, scenario) => {
    const args = ["server", "--url", url, "--scenario", scenario, "--spec-version", version];
    const { exitCode, checks, output } = await runConformance(args);
    const failed = checks.filter(({ status }) => status === "FAILURE").map(({ id }) => id);
    const excepted = scenario === "server-stateless" ? Object.keys(EXCEPTED) : [];
    expect({ failed: failed.toSorted(), exitCode, output }).toEqual({
      failed: excepted.toSorted(),
      exitCode: excepted.length === 0 ? 0 : 1,
      output,
    });
    expect(checks.length).toBeGreaterThan(failed.length);
  },
  120_000,
);
