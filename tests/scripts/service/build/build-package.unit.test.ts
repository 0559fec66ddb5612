import { readFile } from "node:fs/promises";

import { expect, test } from "vitest";

import { packageJsonOf } from "@/scripts/service/build/build-package";

interface Fields {
  type: string;
  version: string;
  dependencies: { node: string };
  engines: { node: string };
}

test("a package says that it needs the Node that a checkout pins, and is otherwise as the checkout", async () => {
  const text = await readFile("package.json", "utf8");
  const { engines: _, ...ofCheckout } = JSON.parse(text) as Fields;
  const { engines, ...others } = JSON.parse(packageJsonOf(text)) as Fields;
  expect(engines).toEqual({ node: `>=${ofCheckout.dependencies.node.split(".", 1)[0]}` });
  expect(others).toEqual(ofCheckout);
});
