import { createHash } from "node:crypto";

import * as fc from "fast-check";

import { BASE_URL } from "@/tests/oauth/support/fixtures";
import { send } from "@/tests/oauth/support/service";

import { foreignUri } from "@/tests/oauth/fuzz/support/foreign-uri";
import { encoding, mutations, nastyValue, type Pairs } from "@/tests/oauth/fuzz/support/form";
import { fault } from "@/tests/oauth/fuzz/support/fault";
import { rarely } from "@/tests/oauth/fuzz/support/rarely";
import type { FuzzedClient, World } from "@/tests/oauth/fuzz/support/world";

/** A request to the authorization endpoint, without the names of this run's clients. */
export interface AuthorizeFuzz {
  client: number;
  redirectUri: number;
  foreign: string | null;
  state: string | null;
  isSignedIn: boolean;
  mutate: (pairs: Pairs) => Pairs;
  encode: (pairs: Pairs) => string;
  garbage: string | null;
}

export const authorizeFuzz: fc.Arbitrary<AuthorizeFuzz> = fc.record({
  client: fc.constantFrom(0, 0, 0, 1, 1, 1, 2),
  redirectUri: fc.nat(3),
  foreign: rarely(4, foreignUri),
  state: rarely(3, nastyValue),
  isSignedIn: fc.boolean(),
  mutate: mutations,
  encode: encoding,
  garbage: rarely(16, fc.string({ unit: "binary", maxLength: 200 })),
});

const CHALLENGE = createHash("sha256").update("v".repeat(43)).digest("base64url");

function queryOf(fuzz: AuthorizeFuzz, world: World): string {
  if (fuzz.garbage !== null) return fuzz.garbage.toWellFormed();
  const client = world.clients[fuzz.client] as FuzzedClient;
  const registered = client.redirectUris[fuzz.redirectUri % client.redirectUris.length] ?? "";
  const pairs: Pairs = [
    ["client_id", client.clientId],
    ["redirect_uri", fuzz.foreign ?? registered],
    ["response_type", "code"],
    ["scope", client.scopes.join(" ")],
    ...(fuzz.state === null ? [] : ([["state", fuzz.state]] as const)),
    ["code_challenge", CHALLENGE],
    ["code_challenge_method", "S256"],
  ];
  return fuzz.encode(fuzz.mutate(pairs));
}

/**
 * Sends it and judges the answer. Returns what kind of answer it was; throws with the request when it breaks a promise.
 */
export async function tryAuthorize(fuzz: AuthorizeFuzz, world: World, cookie: string): Promise<string> {
  const request = new Request(`${BASE_URL}/oauth/authorize?${queryOf(fuzz, world)}`, {
    headers: fuzz.isSignedIn ? { cookie } : {},
  });
  const answer = await send(request);
  const location = answer.headers.get("location");
  const judged = location === null ? await judgePage(answer) : judgeRedirect(answer, location, request, world);
  if (judged.fault) throw fault(judged.fault, { url: request.url, status: answer.status, location });
  return judged.kind;
}

interface Judgement {
  kind: string;
  fault?: string;
}

/** A person gets a page that cannot be framed, runs nothing and repeats nothing as markup. */
async function judgePage(answer: Response): Promise<Judgement> {
  const kind = `page ${answer.status}`;
  const html = await answer.text();
  if (answer.status !== 400 && answer.status !== 403) return { kind, fault: `the status ${answer.status}` };
  if (!answer.headers.get("content-type")?.startsWith("text/html") || !html.startsWith("<!doctype html>"))
    return { kind, fault: "what is no page" };
  if (answer.headers.get("x-frame-options") !== "DENY") return { kind, fault: "a page that can be framed" };
  return html.includes("<svg onload") ? { kind, fault: "a page with the request's markup in it" } : { kind };
}

const INTERNAL = /^\/(?:sign-in\?next=[^&]+|oauth\/consent\?request=[0-9a-f-]{36})$/;
const ERRORS = /^(?:invalid_request|unsupported_response_type|invalid_scope|invalid_target)$/;

function judgeRedirect(answer: Response, location: string, request: Request, world: World): Judgement {
  if (answer.status !== 303 || answer.headers.get("cache-control") !== "no-store")
    return { kind: "redirect", fault: "another redirect than an unstored 303" };
  const asked = new URL(request.url).searchParams;
  const clients = world.clients.filter(
    ({ clientId, isRevoked }) => !isRevoked && asked.getAll("client_id").join() === clientId,
  );
  const uri = clients
    .flatMap(({ redirectUris }) => redirectUris)
    .find((registered) => asked.getAll("redirect_uri").join() === registered);
  if (uri === undefined)
    return { kind: "redirect", fault: "a redirect though no registered URI of the client was named" };
  if (INTERNAL.test(location)) return judgeInternal(location, request);
  return { kind: "error redirect", ...judgeErrorRedirect(location, uri, asked.getAll("state")) };
}

/** The way to the consent page leads through the sign-in, with the request unchanged. */
function judgeInternal(location: string, { url }: Request): Judgement {
  if (location.startsWith("/oauth/consent")) return { kind: "consent" };
  const next = decodeURIComponent(location.slice("/sign-in?next=".length));
  return next === url.slice(BASE_URL.length)
    ? { kind: "sign-in" }
    : { kind: "sign-in", fault: "a sign-in that leads elsewhere" };
}

/** Exactly the registered URI, then only our parameters; the state unchanged (RFC 6749 §4.1.2.1, RFC 9207). */
function judgeErrorRedirect(location: string, uri: string, states: string[]): { fault?: string } {
  const joint = uri.includes("?") ? "&" : "?";
  if (!location.startsWith(uri + joint)) return { fault: "a redirect to a URI that is not registered" };
  if (new URL(location).origin !== new URL(uri).origin) return { fault: "a redirect to another origin" };
  return judgeParameters(new URLSearchParams(location.slice(uri.length + 1)), states);
}

function judgeParameters(added: URLSearchParams, states: string[]): { fault?: string } {
  if (!ERRORS.test(added.get("error") ?? "") || added.has("code")) return { fault: "a redirect without a known error" };
  if (added.get("iss") !== BASE_URL) return { fault: "a redirect without iss" };
  // Bytes that are not UTF-8 have become U+FFFD on the way, and are not returned as something else.
  const state = states.length === 1 && states[0] !== "" && !states[0]?.includes("\uFFFD") ? states[0] : null;
  return added.get("state") === state ? {} : { fault: "a changed state" };
}
