import type { TestProject } from "vitest/node";

import { readDocument } from "@/tests/service/api/support/document";
import { startPrism } from "@/tests/service/api/support/prism";
import { readDemo } from "@/tests/service/support/demo";

declare module "vitest" {
  interface ProvidedContext {
    /** The address of a validating proxy before the service, with paths as the OpenAPI document has them. */
    validator: string;
  }
}

/** Vitest's global setup of the tests against the running service: Prism, by the document that this service serves. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const prism = await startPrism(await readDocument(), `${readDemo().base_url}/api/v1`);
  project.provide("validator", prism.url);
  return prism.stop;
}
