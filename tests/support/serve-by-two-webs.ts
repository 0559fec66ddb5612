import { afterAll, beforeAll } from "vitest";

import { startTwoWebs, stopTwoWebs } from "@/tests/http/support/two-webs";

beforeAll(startTwoWebs);
afterAll(stopTwoWebs);
