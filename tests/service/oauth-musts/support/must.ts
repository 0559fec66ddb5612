import type { Answer } from "@/tests/service/oauth-musts/support/answer";
import type { Scene } from "@/tests/service/oauth-musts/support/scene";

/** One MUST of a specification that an authorization or resource server can be tried against, from outside. */
export interface Must {
  /** "6749" for RFC 6749. */
  rfc: string;
  section: string;
  /** What has to be, in short words of our own. */
  must: string;
  request: (scene: Scene) => Promise<Answer | Answer[]>;
  /** What each answer has to hold at least; of headers and returned parameters, null says that there is none. */
  expected: Partial<Expected> | Partial<Expected>[];
}

interface Expected {
  status: number;
  headers: Record<string, unknown>;
  location: unknown;
  returned: Record<string, unknown>;
  body: unknown;
}
