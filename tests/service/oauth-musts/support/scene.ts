import { createHash } from "node:crypto";

import type { Client as Database } from "pg";

import { accessTokenIn, type Answer, answerOf, readAnswer } from "@/tests/service/oauth-musts/support/answer";
import { sendRaw } from "@/tests/service/support/raw-request";
import { type Browser, hiddenInput } from "@/scripts/demo/obtain-access-token";

/** An API client as its developer knows it. */
export interface RegisteredClient {
  client_id: string;
  client_secret: string;
}

/** Parameters to set. Undefined leaves out a default one. */
export type Changes = Record<string, string | undefined>;

export interface TokenCall {
  /** Default: the code of a new consent. */
  code?: string;
  fields?: Changes;
  headers?: Record<string, string>;
  query?: string;
  /** Form-encoded, added after the fields. */
  extra?: string;
}

export const REDIRECT_URI = "https://client.example/callback";
export const REDIRECT_URI_WITH_QUERY = "https://client.example/callback?kept=1&kept=%C3%A9%2F";
export const REDIRECT_URI_WITH_PORT = "http://127.0.0.1:53682/callback";
export const REDIRECT_URIS = [REDIRECT_URI, REDIRECT_URI_WITH_QUERY, REDIRECT_URI_WITH_PORT];
export const VERIFIER = "a-verifier-of-forty-three-characters-or-more";

export function challengeOf(verifier: string): string {
  return createHash("sha256").update(verifier).digest("base64url");
}

interface Actors {
  origin: string;
  client: RegisteredClient;
  /** Another client of the same organization. */
  other: RegisteredClient;
  /** The client whose secret is guessed. */
  guessed: RegisteredClient;
  /** The admin's browser. */
  browser: Browser;
  /** The same admin's browser on another machine. */
  secondBrowser: Browser;
  /** The browser of another member of the organization. */
  colleague: Browser;
  database: Database;
}

/** Clients and people of the running service, and their requests: valid ones, with changes that make them invalid. */
export class Scene {
  constructor(readonly actors: Actors) {}

  /** Sends any request, without credentials. */
  async send(path: string, init: RequestInit = {}): Promise<Answer> {
    return readAnswer(await fetch(new URL(path, this.actors.origin), { redirect: "manual", ...init }));
  }

  /** Sends a request as raw text, so that its Host can be wrong. */
  async sendRaw(method: string, path: string, headers: Record<string, string>): Promise<Answer> {
    const lines = Object.entries({ ...headers, connection: "close" }).map(([name, value]) => `${name}: ${value}\r\n`);
    const answer = await sendRaw(this.actors.origin, `${method} ${path} HTTP/1.1\r\n${lines.join("")}\r\n`);
    return answerOf(answer.status, Object.fromEntries(answer.headers), answer.body);
  }

  authorizePath(changes: Changes = {}, extra = ""): string {
    const parameters = {
      client_id: this.actors.client.client_id,
      redirect_uri: REDIRECT_URI,
      response_type: "code",
      scope: "crm:read",
      state: "xyz",
      code_challenge: challengeOf(VERIFIER),
      code_challenge_method: "S256",
      ...changes,
    };
    return `/oauth/authorize?${encodeForm(parameters)}${extra}`;
  }

  /** An authorization request in the admin's browser. `extra` is appended to the query unchanged. */
  async authorize(changes: Changes = {}, extra = "", browser = this.actors.browser): Promise<Answer> {
    return readAnswer(await browser.get(this.authorizePath(changes, extra)));
  }

  /** Opens the consent page and returns the fields of its form. */
  async consentForm(changes: Changes = {}, extra = ""): Promise<Record<string, string>> {
    const { location, body } = await this.authorize(changes, extra);
    if (!location?.startsWith("/oauth/consent?"))
      throw new Error(`The authorization endpoint led to ${location}: ${String(body)}`);
    const page = await (await this.actors.browser.get(location)).text();
    return { request: hiddenInput(page, "request"), token: hiddenInput(page, "token"), decision: "allow" };
  }

  async sendConsent(fields: Record<string, string>, browser = this.actors.browser): Promise<Answer> {
    return readAnswer(await browser.post("/oauth/consent/decision", fields));
  }

  /** From an authorization request to the redirect back to the client. */
  async allow(changes: Changes = {}, extra = ""): Promise<Answer> {
    return this.sendConsent(await this.consentForm(changes, extra));
  }

  async code(changes: Changes = {}): Promise<string> {
    return (await this.allow(changes)).returned.code ?? "";
  }

  async token({ code, fields = {}, headers = {}, query = "", extra = "" }: TokenCall = {}): Promise<Answer> {
    const all = {
      grant_type: "authorization_code",
      code: code ?? (await this.code()),
      redirect_uri: REDIRECT_URI,
      ...this.actors.client,
      code_verifier: VERIFIER,
      ...fields,
    };
    return this.postForm(`/oauth/token${query}`, encodeForm(all) + extra, headers);
  }

  async accessToken(changes: Changes = {}, call: TokenCall = {}): Promise<string> {
    return accessTokenIn(await this.token({ code: await this.code(changes), ...call }));
  }

  revoke(fields: Changes, headers: Record<string, string> = {}, query = ""): Promise<Answer> {
    return this.postForm(`/oauth/revoke${query}`, encodeForm({ ...this.actors.client, ...fields }), headers);
  }

  postForm(path: string, body: string, headers: Record<string, string> = {}): Promise<Answer> {
    return this.send(path, {
      method: "POST",
      headers: { "content-type": "application/x-www-form-urlencoded", ...headers },
      body,
    });
  }

  /** Calls the REST API. */
  api(authorization: string, path = "/api/v1/accounts?limit=1"): Promise<Answer> {
    return this.send(path, { headers: { authorization } });
  }

  /** Makes a code or token expire now. */
  async expire(table: "oauth_codes" | "oauth_tokens", secret: string): Promise<void> {
    const column = table === "oauth_codes" ? "code_hash" : "token_hash";
    const hash = createHash("sha256").update(secret).digest();
    const { rowCount } = await this.actors.database.query(
      `UPDATE ${table} SET expires_at = now() WHERE ${column} = $1`,
      [hash],
    );
    if (rowCount !== 1) throw new Error(`${table} holds no such row.`);
  }

  /** Registers a client as the settings page does. */
  register(redirectUri: string): Promise<Answer> {
    const headers = {
      "content-type": "application/json",
      origin: this.actors.origin,
      cookie: this.actors.browser.cookieHeader(),
    };
    const body = JSON.stringify({ name: "Tried", redirect_uris: [redirectUri], scopes: ["crm:read"] });
    return this.send("/api/v1/settings/clients", { method: "POST", headers, body });
  }
}

export function basic(id: string, secret: string): { authorization: string } {
  return { authorization: `Basic ${btoa(`${id}:${secret}`)}` };
}

function encodeForm(parameters: Changes): string {
  return new URLSearchParams(
    Object.entries(parameters).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  ).toString();
}
