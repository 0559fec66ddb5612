import { beforeAll, describe, expect, test } from "vitest";

import {
  type Answer,
  type Ask,
  EVERYWHERE,
  NOTHING,
  outcomeAt,
  placesTried,
  routeOf,
  send,
  takeFrom,
  toldBy,
} from "@/tests/http/matrix/support/ask";
import { leaksOf, stateOf } from "@/tests/http/matrix/support/kept";
import { createSides, type Side } from "@/tests/http/matrix/support/side";

let ours: Side;
let theirs: Side;

/**
 * Call it once, at the top of a file: it tries every request with its own organization's ids, and each place with
 * another's.
 */
export function tryAsks(
  asks: () => readonly Ask[],
  { shown = () => true }: { shown?: (ask: Ask) => boolean } = {},
): void {
  beforeAll(async () => {
    ({ ours, theirs } = await createSides());
  });
  describe.each(asks().map((ask) => ({ name: [ask.route, ask.way].filter(Boolean).join(", "), ask })))(
    "$name",
    ({ ask }) => {
      test("works for each organization with what is its own", async () => {
        for (const [side, other] of [
          [ours, theirs],
          [theirs, ours],
        ] as const) {
          const taken = new Set<string>();
          const parts = await ask.build(takeFrom(side, { taken }), side);
          const { status, text } = await send(ask, parts, side);
          expect({ status, text }).toMatchObject({ status: expect.toBeOneOf([...routeOf(ask).statuses]) });
          expect([...taken].toSorted()).toEqual(placesTried(ask).toSorted());
          expect(text).toContain(shown(ask) ? side.marker : "");
          expect(text).not.toMatch(/"status":"failed"|"data":\[\]/);
          expect(await leaksOf(other, text)).toEqual([]);
        }
      });

      const inPath = placesTried(ask).filter((place) => place.startsWith("{"));
      const places = [...placesTried(ask), ...(inPath.length > 1 ? [EVERYWHERE] : [])];
      test.each(places)("another organization's %s is like one that there is not", async (place) => {
        const { answer, before } = await ofTheirs(ask, place);
        expect(toldBy(answer)).toEqual(toldBy(await withNothing(ask, place)));
        const { status, pointer } = outcomeAt(ask, place);
        expect(answer).toMatchObject({ status });
        expect(faultsIn(answer)).toEqual(pointer === undefined ? [] : [`${pointer} not_found`]);
        expect(contentOf(answer)).toMatchObject(place.startsWith("?") && status === 200 ? { data: [] } : {});
        expect(answer.text).not.toContain('"has_more":true');
        expect(await leaksOf(theirs, answer.text, answer.said)).toEqual([]);
        expect(await stateOf(theirs)).toEqual(before);
      });

      test.each(isVersioned(ask) && inPath.length > 0 ? PRECONDITIONS : [])(
        "%s %s tells nothing of another organization's",
        async (name, value) => {
          const [place = ""] = inPath;
          const { answer, before } = await ofTheirs(ask, place, { [name]: value });
          expect(toldBy(answer)).toEqual(toldBy(await withNothing(ask, place, { [name]: value })));
          expect(await stateOf(theirs)).toEqual(before);
          expect(outcomeAt(ask, place).status === 404 ? [404] : [201, 412]).toContain(answer.status);
        },
      );
    },
  );
}

/** A new record has version 1. */
const PRECONDITIONS = [
  ["if-match", '"1"'],
  ["if-match", '"99"'],
  ["if-none-match", "*"],
] as const;

function isVersioned(ask: Ask): boolean {
  const { method, operation } = routeOf(ask);
  return method === "GET" || operation.conditional === true;
}

/** The answer to our request with theirs at `place`, and what they had before. */
async function ofTheirs(
  ask: Ask,
  place: string,
  headers: Record<string, string> = {},
): Promise<{ answer: Answer; before: unknown }> {
  const said: string[] = [];
  const parts = await ask.build(takeFrom(ours, { place, other: theirs, said }), ours);
  const before = await stateOf(theirs);
  return { answer: { ...(await send(ask, parts, ours, headers)), said: said[0] ?? "" }, before };
}

async function withNothing(ask: Ask, place: string, headers: Record<string, string> = {}): Promise<Answer> {
  const said: string[] = [];
  const parts = await ask.build(takeFrom(ours, { place, other: NOTHING, said }), ours);
  return { ...(await send(ask, parts, ours, headers)), said: said[0] ?? "" };
}

interface Faults {
  errors?: { pointer: string; code: string }[];
  results?: { problem?: Faults }[];
}

/** The JSON of an answer; of a CSV file, its lines below the head as data. */
function contentOf({ headers, text }: Answer): unknown {
  const isCsv = headers.get("content-type")?.startsWith("text/csv") === true;
  return isCsv ? { data: text.split("\r\n").slice(1, -1) } : JSON.parse(text);
}

/** Of a problem, or of the items that failed in a batch. */
function faultsIn(answer: Answer): string[] {
  const { errors = [], results = [] } = contentOf(answer) as Faults;
  return [...errors, ...results.flatMap(({ problem }) => problem?.errors ?? [])].map(
    ({ pointer, code }) => `${pointer} ${code}`,
  );
}
