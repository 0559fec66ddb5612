import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";

import { expect, test } from "vitest";

import { curlExample } from "@/components/settings/api/example/curl-example";
import type { ExampleClient } from "@/components/settings/api/example/example-client";
import { nodeExample } from "@/components/settings/api/example/node-example";
import { redirectUriFault } from "@/lib/oauth/clients/client-fields";

const CLIENT: ExampleClient = {
  service: "https://crm.example",
  clientId: "crm_0123456789abcdef01234567",
  clientSecret: "crm_secret_a-b_c",
  redirectUri: "https://client.example/callback",
  scopes: ["crm:read", "crm:write"],
};
/** A valid redirect URI with characters that are special to a shell or a program. */
const NASTY = "https://client.example/it's/$(exit)/%20/!x?home=$HOME;'&rest=*+1";

/** Pastes the example into a shell, and then the line that the person pastes. */
function paste(shell: string, example: ExampleClient, line: string): string {
  const { stdout, stderr } = spawnSync(shell, [], {
    input: `${curlExample(example)}\n${line}\necho "Still here."\n`,
    encoding: "utf8",
  });
  return stdout + stderr;
}

function addressIn(printed: string): URL {
  return new URL(/^https:\S+$/m.exec(printed)?.[0] ?? "about:blank");
}

test.each(["bash", "sh"])(
  "pasted into %s, the example asks for exactly the client's redirect URI and scopes",
  (shell) => {
    expect(redirectUriFault(NASTY)).toBeNull();
    const request = addressIn(paste(shell, { ...CLIENT, redirectUri: NASTY }, "")).searchParams;
    expect(Object.fromEntries(request)).toMatchObject({
      response_type: "code",
      client_id: CLIENT.clientId,
      redirect_uri: NASTY,
      scope: "crm:read crm:write",
      code_challenge_method: "S256",
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      state: expect.stringMatching(/^[0-9a-f]{32}$/),
    });
  },
);

test("the redirect URI is in the example once: replacing it there changes both requests", () => {
  const written = curlExample(CLIENT);
  expect(written.split("client.example")).toHaveLength(2);
  const { stdout } = spawnSync("bash", [], {
    input: written.replace(CLIENT.redirectUri, "http://localhost:9090/back?a=1&b=2"),
    encoding: "utf8",
  });
  expect(addressIn(stdout).searchParams.get("redirect_uri")).toBe("http://localhost:9090/back?a=1&b=2");
});

test("no two runs have the same state or challenge, and the challenge belongs to the verifier", () => {
  const [first, second] = [1, 2].map(() => addressIn(paste("bash", CLIENT, "")).searchParams);
  expect(first?.get("state")).not.toBe(second?.get("state"));
  expect(first?.get("code_challenge")).not.toBe(second?.get("code_challenge"));
  const tracing = curlExample(CLIENT).replace("\nSTATE=", '\necho "$VERIFIER $CHALLENGE"; exit\nSTATE=');
  const { stdout } = spawnSync("bash", [], { input: tracing, encoding: "utf8" });
  const [verifier = "", challenge] = stdout.trim().split(" ");
  expect(verifier).toMatch(/^[\w-]{43,128}$/);
  expect(challenge).toBe(createHash("sha256").update(verifier).digest("base64url"));
});

test.each([
  ["an answer to another request", "https://client.example/callback?code=abc&state=other", "it has another state"],
  ["nothing", "", "it has another state"],
])("given %s, the example stops with a sentence and leaves the terminal open", (_, line, sentence) => {
  const printed = paste("bash", CLIENT, line);
  expect(printed).toContain(sentence);
  expect(printed).toContain("Still here.");
});

test("a client of the product catalog only reads products", () => {
  const examples = [curlExample, nodeExample].map((write) => write({ ...CLIENT, scopes: ["erp:read"] }));
  for (const example of examples) expect(example).toMatch(/\/api\/v1\/products\?limit=3/);
});

test("when the secret is no longer known, the example says where to put it", () => {
  for (const write of [curlExample, nodeExample])
    expect(write({ ...CLIENT, clientSecret: null })).toContain("PUT-THE-CLIENT-SECRET-HERE");
});
