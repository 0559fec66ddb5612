import { readFileSync } from "node:fs";

import { expect, test } from "vitest";

const { packages } = JSON.parse(readFileSync("package-lock.json", "utf8")) as { packages: Record<string, object> };

test("OpenTelemetry's own packages are installed once: our versions are those that inngest brings", () => {
  const paths = Object.keys(packages).filter((path) =>
    /@opentelemetry\/(?:core|resources|(?:otlp|sdk)-.+)$/.test(path),
  );
  expect(paths.length).toBeGreaterThan(5);
  expect(paths.filter((path) => path.lastIndexOf("node_modules/") > 0)).toEqual([]);
});
