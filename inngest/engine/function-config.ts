import type { InngestFunction } from "inngest";
import { z } from "zod";

/** What the SDK tells a server about a function, as far as the engine reads it. */
const functionConfig = z.object({
  id: z.string(),
  triggers: z.array(z.union([z.object({ event: z.string(), expression: z.string().optional() }), z.object({ cron: z.string() })])),
  steps: z.object({ step: z.object({ retries: z.object({ attempts: z.number().int() }).optional() }) }),
  concurrency: z.union([z.number(), z.object({ key: z.string().optional() }), z.array(z.object({ key: z.string().optional() }))]).optional(),
  cancel: z.array(z.object({ event: z.string(), if: z.string().optional() })).default([]),
});

export type FunctionConfig = z.infer<typeof functionConfig>;

/** Only `getConfig` looks at it, and only for the address at which a real server would call. */
const BASE_URL = new URL("http://embedded.invalid/api/inngest");

/** The function, and its onFailure handler when it has one. */
export function readConfigs(appId: string, fn: InngestFunction.Any): FunctionConfig[] {
  return z.array(functionConfig).parse(fn["getConfig"]({ baseUrl: BASE_URL, appPrefix: appId }));
}
