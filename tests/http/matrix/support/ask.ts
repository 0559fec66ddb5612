import type { Method, Route } from "@/lib/http/openapi/route";
import { ROUTES } from "@/lib/http/openapi/routes";
import { newId } from "@/lib/ids";

import { callRoute } from "@/tests/http/support/call-route";
import { placesOf } from "@/tests/http/matrix/support/places";
import type { Side } from "@/tests/http/matrix/support/side";

/** Asks for what stands at a place of the request, and says how a side comes by its own. */
export type Take = (place: string, make: (side: Side) => string | Promise<string>) => Promise<string>;

export interface Parts {
  path?: Record<string, string>;
  query?: Record<string, string>;
  body?: unknown;
}

/**
 * What becomes of a request in which one place names nothing of the organization. Without a pointer nothing is refused.
 */
export interface Outcome {
  status: number;
  pointer?: string;
}

/** One way to call an endpoint, that works for every organization with what is its own. */
export interface Ask {
  /** "POST /leads/{id}/convert" */
  route: string;
  /** Which of several ways it is. */
  way?: string;
  /** Those that this way tries; absent: all that the endpoint has. */
  places?: readonly string[];
  build(take: Take, side: Side): Promise<Parts>;
  /** Places that become of something else than those of their kind. */
  outcomes?: Record<string, Outcome>;
}

export interface Answer {
  status: number;
  headers: Headers;
  text: string;
  /** What was sent at the place that was tried. */
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
 * A take that gives everything of `side`, but at `place` what `other` has. `taken` notes the places that were asked
 * for.
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

/** Stands for every place of a path at once. */
export const EVERYWHERE = "{…}";

/** What no organization has. */
export const NOTHING = "nothing";

async function valueFrom(
  other: Side | typeof NOTHING,
  place: string,
  make: (side: Side) => string | Promise<string>,
): Promise<string> {
  if (other !== NOTHING) return make(other);
  return /[?/]q$|ext_id|sku|email|type|family|number/.test(place) ? `nothing${newId().replaceAll("-", "")}` : newId();
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
 * What is expected where a place names nothing: 404 for a path, `not_found` at the pointer in a body, an empty list by
 * a filter.
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

/** The number of a case and the place of a comment are one more with each. */
const COUNTED = /("case_number":|"position":)"?\d+"?/g;

/** Of every request its own; and the length of a body that is compared itself, without what was said. */
const UNTELLING = new Set(["x-request-id", "content-length"]);

/** An answer without what differs from one request to the next: if two are alike, neither tells more than the other. */
export function toldBy({ status, headers, text, said }: Answer): unknown {
  const unsaid = said === "" ? text : text.replaceAll(said, "said");
  const body = unsaid.replaceAll(UUID, "id").replaceAll(TIME, "time").replaceAll(COUNTED, "$1counted");
  const kept = [...headers]
    .filter(([name]) => !UNTELLING.has(name))
    .map(([name, value]) => [name, value.replaceAll(UUID, "id")]);
  return { status, body, headers: Object.fromEntries(kept) as unknown };
}
