import type { Parameters } from "@/lib/oauth/parameters";

/** A request to the token endpoint, as far as the rules care. */
export interface TokenRequest {
  contentType: string | null;
  authorization: string | null;
  /** Parameters of the URI, where none belong. */
  query: Parameters;
  /** Parameters of the form in the body. */
  body: Parameters;
  /** The network address that asks. */
  address: string;
}
