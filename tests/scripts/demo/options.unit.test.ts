import { afterEach, expect, test, vi } from "vitest";

import { readOptions } from "@/scripts/demo/options";

afterEach(() => vi.unstubAllEnvs());

test("the demo listens only on this machine unless the person sets another address", () => {
  vi.stubEnv("LISTEN_HOST", "");
  expect(readOptions([]).host).toBe("127.0.0.1");
  expect(readOptions(["--host", "0.0.0.0"]).host).toBe("0.0.0.0");
  vi.stubEnv("LISTEN_HOST", "192.168.1.2");
  expect(readOptions([]).host).toBe("192.168.1.2");
});

test("with --json the demo leaves standard output to the JSON", () => {
  expect(readOptions([]).tell).toBe(console.log);
  expect(readOptions(["--json"]).tell).toBe(console.error);
});
