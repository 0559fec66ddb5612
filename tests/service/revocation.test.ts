import { describe, expect, test } from "vitest";

import { readDemo } from "@/tests/service/support/demo";
import { type Grant, grantTo } from "@/tests/service/support/grant-to";
import { type OwnOrganization, ownOrganization, type SignedIn } from "@/tests/service/setup/own-organization";
import type { NewApiClient } from "@/tests/service/support/settings-api";
import { isExhaustive } from "@/tests/support/exhaustive";
import { readWhile } from "@/tests/service/support/token-readers";

const { base_url: baseUrl } = readDemo();
const ACCOUNTS = new URL("/api/v1/accounts?limit=1", baseUrl);
const redirectUri = "http://127.0.0.1:53684/callback";
const READERS = 16;
const ROUNDS = isExhaustive ? [1, 2] : [1];

interface Scene extends OwnOrganization {
  client: NewApiClient;
  byAdmin: Grant[];
  /** Tokens of the member, through the first client. */
  byMember: Grant[];
  /** Tokens of the member, through another client. */
  byOther: Grant[];
}

async function arrange(): Promise<Scene> {
  const own = await ownOrganization(baseUrl);
  const [client, other] = [
    await own.admin.settings.register(redirectUri, ["crm:read"]),
    await own.admin.settings.register(redirectUri, ["crm:read"]),
  ];
  const twice = async ({ browser }: SignedIn, client: NewApiClient) => [
    await grantTo(browser, { baseUrl, client, redirectUri }),
    await grantTo(browser, { baseUrl, client, redirectUri }),
  ];
  return {
    ...own,
    client,
    byAdmin: await twice(own.admin, client),
    byMember: await twice(own.member, client),
    byOther: await twice(own.member, other),
  };
}

/** A way to revoke tokens: what does it, which tokens it must revoke, and which not. */
interface Way {
  revoke: (scene: Scene) => Promise<void>;
  stopped: (scene: Scene) => Grant[];
  spared: (scene: Scene) => Grant[];
}

async function throughSettings({ settings }: SignedIn, path: string): Promise<void> {
  const { status, body } = await settings.call("DELETE", path);
  expect([status, body]).toEqual([200, expect.objectContaining({ revoked: true })]);
}

async function throughMembers({ settings }: SignedIn, method: string, userId: string, body?: object): Promise<void> {
  const { status, body: answer } = await settings.call(method, `members/${userId}`, body);
  expect([status, answer]).toEqual([200, expect.objectContaining({ user_id: userId })]);
}

/** The member revokes the grant of the first client. */
async function revokeGrant({ member, client }: Scene): Promise<void> {
  const { body } = await member.settings.call("GET", "grants");
  const grant = (body.data as { id: string; client_id: string }[]).find(
    ({ client_id }) => client_id === client.client_id,
  );
  await throughSettings(member, `grants/${grant?.id}`);
}

async function replay({ byMember: [grant] }: Scene): Promise<void> {
  const answer = await grant?.replay();
  expect([answer?.status, await answer?.json()]).toEqual([400, expect.objectContaining({ error: "invalid_grant" })]);
}

const ofMember = (scene: Scene) => [...scene.byMember, ...scene.byOther];
const WAYS: [what: string, way: Way][] = [
  [
    "an admin revokes the client",
    {
      revoke: ({ admin, client }) => throughSettings(admin, `clients/${client.id}`),
      stopped: ({ byAdmin, byMember }) => [...byAdmin, ...byMember],
      spared: ({ byOther }) => byOther,
    },
  ],
  [
    "the person revokes the grant",
    {
      revoke: revokeGrant,
      stopped: ({ byMember }) => byMember,
      spared: ({ byAdmin, byOther }) => [...byAdmin, ...byOther],
    },
  ],
  [
    "its code is used again",
    { revoke: replay, stopped: ({ byMember }) => byMember.slice(0, 1), spared: ({ byMember }) => byMember.slice(1) },
  ],
  [
    "an admin disables its user",
    {
      revoke: ({ admin, member }) => throughMembers(admin, "PATCH", member.userId, { is_disabled: true }),
      stopped: ofMember,
      spared: ({ byAdmin }) => byAdmin,
    },
  ],
  [
    "an admin removes its user",
    {
      revoke: ({ admin, member }) => throughMembers(admin, "DELETE", member.userId),
      stopped: ofMember,
      spared: ({ byAdmin }) => byAdmin,
    },
  ],
];

describe.each(WAYS)("with 16 concurrent readers, the next request with a token is 401 once %s", (_, way) => {
  test.each(ROUNDS)("round %i", async () => {
    const scene = await arrange();
    const tokens = way.stopped(scene).map(({ accessToken }) => accessToken);
    const readers = Array.from({ length: READERS }, (_, reader) => tokens[reader % tokens.length] ?? "");
    const { before, after } = await readWhile(ACCOUNTS, readers, () => way.revoke(scene));
    expect(before.length).toBeGreaterThanOrEqual(READERS);
    expect(after.length).toBeGreaterThanOrEqual(READERS * 10);
    expect([new Set(before), new Set(after)]).toEqual([new Set([200]), new Set([401])]);
    for (const { accessToken } of way.spared(scene)) {
      expect((await fetch(ACCOUNTS, { headers: { authorization: `Bearer ${accessToken}` } })).status).toBe(200);
    }
  });
});
