import { beforeEach, expect, test, vi } from "vitest";

import { GET as exportList } from "@/app/api/v1/[resource]/export/route";
import { GET as fileContent } from "@/app/api/v1/files/[id]/content/route";
import { GET as exportAll } from "@/app/api/v1/settings/organization/export/route";
import * as database from "@/lib/database/db";
import { createSides, makeFile, makeRecord, type Side } from "@/tests/http/matrix/support/side";
import { pool } from "@/tests/support/owner";

let side: Side;

beforeEach(async () => {
  side = (await createSides()).ours;
});

const API = "http://localhost:3000/api/v1";

async function list(): Promise<Response> {
  return exportList(new Request(`${API}/accounts/export`, { headers: side.bearer }), {
    params: Promise.resolve({ resource: "accounts" }),
  });
}

async function file(): Promise<Response> {
  const id = await makeFile(side, await makeRecord(side, "cases"));
  return fileContent(new Request(`${API}/files/${id}/content`, { headers: side.bearer }), {
    params: Promise.resolve({ id }),
  });
}

async function everything(): Promise<Response> {
  return exportAll(new Request(`${API}/settings/organization/export`, { headers: side.admin }));
}

/** Reads the first piece of an answer, lets something happen and so many seconds pass, and reads the rest. */
async function readOn(answer: Response, happens: () => Promise<unknown>, seconds: number): Promise<void> {
  if (!answer.body) throw new Error("A download has a body.");
  const reader = answer.body.getReader();
  await reader.read();
  await happens();
  const later = performance.now() + seconds * 1000;
  vi.spyOn(performance, "now").mockReturnValue(later);
  while (!(await reader.read()).done);
}

const revokeToken = () => pool().query("UPDATE oauth_tokens SET revoked_at = now() WHERE user_id = $1", [side.userId]);
const endSession = () => pool().query("DELETE FROM sessions WHERE user_id = $1", [side.userId]);
const demote = () => pool().query("UPDATE memberships SET role = 'member' WHERE user_id = $1", [side.userId]);
const nothing = () => Promise.resolve();

test.each([
  ["of a list, when its token is revoked", list, revokeToken, "unauthenticated"],
  ["of a file, when its token is revoked", file, revokeToken, "unauthenticated"],
  ["of all data, when its session ends", everything, endSession, "unauthenticated"],
  ["of all data, when its reader is no admin any more", everything, demote, "forbidden"],
])("a download breaks off: %s", async (_what, start, happens, code) => {
  await expect(readOn(await start(), happens, 10)).rejects.toMatchObject({ code });
});

test.each([list, file, everything])("a download whose access lasts is read to its end (%s)", async (start) => {
  await expect(readOn(await start(), nothing, 3600)).resolves.toBeUndefined();
});

test("the access of a download is looked up every ten seconds, not for each piece", async () => {
  await expect(readOn(await list(), revokeToken, 9)).resolves.toBeUndefined();
});

test("a file is read to its end while the database is away", async () => {
  const answer = await file();
  const away = vi
    .spyOn(database, "readPipelined")
    .mockRejectedValue(Object.assign(new Error("terminating connection"), { severity: "FATAL", code: "57P01" }));
  await expect(readOn(answer, nothing, 10)).resolves.toBeUndefined();
  expect(away).toHaveBeenCalled();
});
