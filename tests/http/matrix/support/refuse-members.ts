import { beforeAll, describe, expect, test } from "vitest";

import { createAccessToken, createContext } from "@/tests/support/factories";
import { type Ask, send, takeFrom } from "@/tests/http/matrix/support/ask";
import { leaksOf, stateOf } from "@/tests/http/matrix/support/kept";
import { createSides, type Side } from "@/tests/http/matrix/support/side";

/** Sends what only admins may ask for as a member who is none. */
export function refuseMembers(asks: readonly Ask[]): void {
  let ours: Side;
  let member: Record<string, string>;

  beforeAll(async () => {
    ({ ours } = await createSides());
    const context = await createContext({ organizationId: ours.organizationId, role: "member" });
    member = { authorization: `Bearer ${await createAccessToken(context)}` };
  });

  describe.each(asks)("$route", (ask) => {
    test("is refused to members who are not admins, whatever their scopes, and shows and changes nothing", async () => {
      const parts = await ask.build(takeFrom(ours), ours);
      const before = await stateOf(ours);
      const { status, text } = await send(ask, parts, { ...ours, bearer: member });
      expect([status, (JSON.parse(text) as { code: string }).code]).toEqual([403, "forbidden"]);
      expect(await leaksOf(ours, text, JSON.stringify(parts))).toEqual([]);
      expect(await stateOf(ours)).toEqual(before);
    });
  });
}
