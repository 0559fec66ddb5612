import type { Method, Route } from "@/lib/http/openapi/route";
import { ROUTES } from "@/lib/http/openapi/routes";
import { newId } from "@/lib/ids";

import { callRoute } from "@/tests/http/support/call-route";
import { placesOf } from "@/tests/http/matrix/support/places";
import type { Side } from "@/tests/http/matrix/support/side";

/** Takes the value for a place of the request from a side. */
export type Take = (place: string, make: (side: Side) => string | Promise<string>) => Promise<string>;

export interface Parts {
  path?: Record<string, string>;
  query?: Record<string, string>;
  body?: unknown;
}

/**
 * The outcome of a request in which one place names nothing of the organization. Without a pointer nothing is refused.
 */
export interface Outcome {
  status: number;
  pointer?: string;
}

/** One way to call an endpoint, which works for every organization with its own values. */
export interface Ask {
  /** "POST /leads/{id}/convert" */
  route: string;
  /** Which of several ways it is. */
  way?: string;
  /** The places that this way tries; absent: all of the endpoint. */
  places?: readonly string[];
  build(take: Take, side: Side): Promise<Parts>;
  /** Places whose outcome differs from that of their kind. */
  outcomes?: Record<string, Outcome>;
}

export interface Answer {
  status: number;
  headers: Headers;
  text: string;
  /** The value that was sent at the tried place. */
  said: string;
}

export function routeOf({ route }: Ask): Route {
  const found = ROUTES.find(({ method, path }) => `${method} ${path}` === route);
  if (!found) throw new Error(`No endpoint is called ${route}.`);
  return found;
}

export function placesTried(ask: Ask): readonly string[] {
  return ask.places ?? placesOf(routeOf(ask));
}

interface Exchange {
  place?: string;
  other?: Side | typeof NOTHING;
  taken?: Set<string>;
  said?: string[];
}

/**
 * A take that returns everything of `side`, except the value of `other` at `place`. `taken` collects the requested
 * places.
 */
export function takeFrom(side: Side, { place = "", other = side, taken = new Set(), said = [] }: Exchange = {}): Take {
  return async (asked, make) => {
    taken.add(asked);
    const isTried = asked === place || (place === EVERYWHERE && asked.startsWith("{"));
    const value = await (isTried ? valueFrom(other, asked, make) : make(side));
    if (isTried) said.push(value);
    return value;
  };
}

/** All places of a path at once. */
export const EVERYWHERE = "{…}";

/** Values that no organization has. */
export const NOTHING = "nothing";

async function valueFrom(
  other: Side | typeof NOTHING,
  place: string,
  make: (side: Side) => string | Promise<string>,
): Promise<string> {
  if (other !== NOTHING) return make(other);
  // With a blank, as marked texts have: a path with an escape is answered through Next's router, which adds headers.
  if (place.includes("ext_id")) return `nothing ${newId()}`;
  return /[?/]q$|sku|email|type|family|number/.test(place) ? `nothing${newId().replaceAll("-", "")}` : newId();
}

/**
 * Sends what was built, as `side`: with its access token, or from its settings where no access token opens the
 * endpoint.
 */
export async function send(
  ask: Ask,
  parts: Parts,
  side: Side,
  headers: Record<string, string> = {},
): Promise<Omit<Answer, "said">> {
  const { method, path, operation } = routeOf(ask);
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(parts.path?.[name] ?? ""));
  const query = new URLSearchParams(parts.query).toString();
  const whose = operation.people === undefined ? side.bearer : side.admin;
  return callRoute(
    method satisfies Method,
    query === "" ? filled : `${filled}?${query}`,
    { ...whose, ...headers },
    parts.body,
  );
}

/**
 * What is expected if a place names nothing: 404 for a path, `not_found` at the pointer in a body, an empty list for a
 * filter.
 */
export function outcomeAt({ outcomes = {} }: Ask, place: string): Outcome {
  const usual = place.startsWith("{")
    ? { status: 404 }
    : place.startsWith("?")
      ? { status: 200 }
      : { status: 400, pointer: place };
  return outcomes[place] ?? usual;
}

const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;
const TIME = /\d{4}-\d\d-\d\dT[\d:.]+Z/g;

/** The number of a case and the position of a comment increase with each. */
const COUNTED = /("case_number":|"position":)"?\d+"?/g;

/** Headers that differ with every request, and the length of a body, which is compared separately. */
const UNTELLING = new Set(["x-request-id", "content-length", "date"]);

/** A response without the parts that differ between requests: if two are equal, neither reveals more than the other. */
export function toldBy({ status, headers, text, said }: Answer): unknown {
  const unsaid = said === "" ? text : text.replaceAll(said, "said");
  const body = unsaid.replaceAll(UUID, "id").replaceAll(TIME, "time").replaceAll(COUNTED, "$1counted");
  const kept = [...headers]
    .filter(([name]) => !UNTELLING.has(name))
    .map(([name, value]) => [name, value.replaceAll(UUID, "id")]);
  return { status, body, headers: Object.fromEntries(kept) as unknown };
}
