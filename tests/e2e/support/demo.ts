import { readFileSync } from "node:fs";
import { delimiter } from "node:path";

import { test } from "@playwright/test";
import { z } from "zod";

const demo = z.object({
  base_url: z.string(),
  admin: z.object({ email: z.string(), password: z.string() }),
  oauth_client: z.object({ client_id: z.string(), client_secret: z.string(), redirect_uri: z.string() }),
  sandbox_org: z.object({ ext_instance_url: z.string(), ext_access_token: z.string() }),
});

/**
 * The part of the demo's file that browser tests need: who signs in, the API client, and the Salesforce org.
 * Each worker of Playwright has a file, and so an organization, of its own.
 */
export function readDemo(): z.infer<typeof demo> {
  const file = process.env.E2E_DEMO_FILE?.split(delimiter)[test.info().parallelIndex];
  if (!file)
    throw new Error(
      "Set E2E_DEMO_FILE to the file that `npm run demo` or `npm run seed:demo` writes (.data/demo.json).",
    );
  return demo.parse(JSON.parse(readFileSync(file, "utf8")));
}
