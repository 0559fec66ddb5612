import type { Answer } from "@/tests/service/oauth-musts/support/answer";
import type { Scene } from "@/tests/service/oauth-musts/support/scene";

/** One MUST of a specification that can be tested against a server from outside. */
export interface Must {
  /** "6749" for RFC 6749. */
  rfc: string;
  section: string;
  /** The requirement in a few words. */
  must: string;
  request: (scene: Scene) => Promise<Answer | Answer[]>;
  /** The least that each answer must contain. Null: the header or returned parameter is missing. */
  expected: Partial<Expected> | Partial<Expected>[];
}

interface Expected {
  status: number;
  headers: Record<string, unknown>;
  location: unknown;
  returned: Record<string, unknown>;
  body: unknown;
}
