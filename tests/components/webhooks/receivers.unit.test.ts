import { spawnSync } from "node:child_process";

import { expect, test } from "vitest";

import { nodeReceiver } from "@/components/settings/webhooks/example/node-receiver";
import { pythonReceiver } from "@/components/settings/webhooks/example/python-receiver";
import { formatOf } from "@/components/settings/webhooks/example/secret-format";

const FORMATS = ["whsec", "raw", "either", "none"] as const;

test("the format follows from a known secret, and is open for an unknown one", () => {
  expect([formatOf(true, "whsec_abc"), formatOf(true, "abc"), formatOf(true, null), formatOf(false, null)]).toEqual([
    ...FORMATS,
  ]);
});

test.each(FORMATS)("with a secret of the format %s, the receiver for Node is a valid program", (format) => {
  const { stderr } = spawnSync(process.execPath, ["--check", "--input-type=module"], {
    input: nodeReceiver(format),
    encoding: "utf8",
  });
  expect(stderr).toBe("");
});

test.skipIf(spawnSync("python3", ["--version"]).error).each(FORMATS)(
  "with a secret of the format %s, the receiver for Python is a program",
  (format) => {
    const { stderr } = spawnSync("python3", ["-c", "import ast, sys; ast.parse(sys.stdin.read())"], {
      input: pythonReceiver(format),
      encoding: "utf8",
    });
    expect(stderr).toBe("");
  },
);

test("the reader's own secret is the key itself, not base64", () => {
  expect(nodeReceiver("raw")).toContain('{ format: "raw" }');
  expect(pythonReceiver("raw")).toContain('os.environ["WEBHOOK_SECRET"].encode()');
  expect(nodeReceiver("whsec")).not.toContain("raw");
  expect(pythonReceiver("whsec")).not.toContain("encode");
});

test("an unsigned delivery is not verified", () => {
  for (const program of [nodeReceiver("none"), pythonReceiver("none")]) expect(program).not.toMatch(/verify|SECRET/);
});
