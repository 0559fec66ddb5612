import type { StoredCode } from "@/lib/oauth/find-code";
import type { Parameters } from "@/lib/oauth/parameters";

/** What is presented at the token endpoint by a client that has proven who it is. */
interface Redemption {
  code: StoredCode;
  /** The client's row id. */
  clientId: string;
  parameters: Parameters;
}

/** One rule for the redemption of an authorization code. Throws an OAuthError. */
export type CodeCheck = (redemption: Redemption) => void;
