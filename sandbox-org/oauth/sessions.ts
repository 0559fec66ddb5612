import { createHash, createHmac, randomBytes } from "node:crypto";

import { OAuthError } from "./oauth-error";

interface Grant {
  readonly redirectUri: string;
  readonly challenge: string | null;
  readonly scope: string;
  readonly expiresAt: number;
}

interface SessionOptions {
  readonly accessToken: string | null;
  /** The access token that the org starts with stays valid when it is revoked. */
  readonly keepAccessToken: boolean;
  readonly rotateRefreshTokens: boolean;
}

const CODE_LIFETIME = 15 * 60_000;
export const DEFAULT_SCOPE = "refresh_token api id";

/** Tokens in Salesforce's format: the org's id, an exclamation mark, and 86 opaque characters. */
export class Sessions {
  readonly clientId: string;
  readonly clientSecret: string;
  readonly accessToken: string;
  private readonly live = new Set<string>();
  private readonly refreshTokens = new Map<string, string>();
  private readonly codes = new Map<string, Grant>();

  constructor(
    private readonly organization: string,
    private readonly options: SessionOptions,
  ) {
    const digest = createHash("sha512").update(`client of ${organization}`).digest();
    this.clientId = `3MVG9${digest.toString("base64url").slice(0, 80)}`;
    this.clientSecret = createHash("sha256").update(digest).digest("hex").toUpperCase();
    this.accessToken = options.accessToken ?? this.mint();
    this.live.add(this.accessToken);
  }

  isLive(token: string): boolean {
    return this.live.has(token);
  }

  issueCode(grant: Omit<Grant, "expiresAt">): string {
    const code = `aPrx${randomBytes(48).toString("base64url")}==`;
    this.codes.set(code, { ...grant, expiresAt: Date.now() + CODE_LIFETIME });
    return code;
  }

  /** Exchanges a code once. Without `code_challenge_method`, the method is S256. */
  redeem(
    code: string,
    redirectUri: string,
    verifier: string | null,
  ): { accessToken: string; refreshToken: string; scope: string } {
    const grant = this.codes.get(code);
    this.codes.delete(code);
    if (!grant || grant.expiresAt < Date.now()) throw new OAuthError("invalid_grant", "expired authorization code");
    if (grant.redirectUri !== redirectUri)
      throw new OAuthError("redirect_uri_mismatch", "redirect_uri must match configuration");
    if (grant.challenge !== null) {
      if (verifier === null) throw new OAuthError("invalid_grant", "invalid code verifier");
      if (createHash("sha256").update(verifier).digest("base64url") !== grant.challenge)
        throw new OAuthError("invalid_grant", "invalid code verifier");
    }
    return { accessToken: this.open(), refreshToken: this.issueRefreshToken(grant.scope), scope: grant.scope };
  }

  /** A new access token, and a new refresh token if the org rotates them. */
  refresh(refreshToken: string): { accessToken: string; refreshToken: string | null; scope: string } {
    const scope = this.refreshTokens.get(refreshToken);
    if (scope === undefined) throw new OAuthError("invalid_grant", "expired access/refresh token");
    if (!this.options.rotateRefreshTokens) return { accessToken: this.open(), refreshToken: null, scope };
    this.refreshTokens.delete(refreshToken);
    return { accessToken: this.open(), refreshToken: this.issueRefreshToken(scope), scope };
  }

  /** Revoking a refresh token ends every session of the app, as in Salesforce. */
  revoke(token: string): boolean {
    if (!this.refreshTokens.delete(token)) return this.end(token);
    for (const session of this.live) this.end(session);
    return true;
  }

  /** Ends every session. Refresh tokens stay valid. */
  expireAll(): void {
    this.live.clear();
  }

  /** Makes a token valid. Tests undo an expiry with it. */
  accept(token: string): void {
    this.live.add(token);
  }

  /** base64(HMAC-SHA256(client secret, identity URL + issue time)). */
  sign(text: string): string {
    return createHmac("sha256", this.clientSecret).update(text).digest("base64");
  }

  /** False for a token that is not valid. */
  private end(token: string): boolean {
    const isKept = this.options.keepAccessToken && token === this.accessToken;
    return isKept ? this.isLive(token) : this.live.delete(token);
  }

  private open(): string {
    const token = this.mint();
    this.live.add(token);
    return token;
  }

  private mint(): string {
    return `${this.organization}!AQ${randomBytes(63).toString("base64url").replaceAll("-", ".")}`;
  }

  private issueRefreshToken(scope: string): string {
    const token = `5Aep${randomBytes(60).toString("base64url").replaceAll("-", ".")}`;
    this.refreshTokens.set(token, scope);
    return token;
  }
}
