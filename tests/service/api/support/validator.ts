import type { TestProject } from "vitest/node";

import { readDocument } from "@/tests/service/api/support/document";
import { startPrism } from "@/tests/service/api/support/prism";
import { readDemo } from "@/tests/service/support/demo";

declare module "vitest" {
  interface ProvidedContext {
    /** The address of a validating proxy in front of the service. Its paths are those of the OpenAPI document. */
    validator: string;
  }
}

/** Vitest's global setup of the tests of the running service: Prism, with the document that this service serves. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const prism = await startPrism(await readDocument(), `${readDemo().base_url}/api/v1`);
  project.provide("validator", prism.url);
  return prism.stop;
}
