import { QueryClient, QueryObserver } from "@tanstack/react-query";
import { afterEach, expect, test, vi } from "vitest";

import { latestProof } from "@/components/migration/proof/use-proof";

const ID = "01890000-0000-7000-8000-000000000000";

afterEach(() => vi.unstubAllGlobals());

test("a proof is asked for once there is one, and not before", async () => {
  const asked: string[] = [];
  vi.stubGlobal("fetch", async (path: string) => {
    asked.push(path);
    return Response.json({ status: "done" });
  });
  const page = new QueryObserver(new QueryClient(), latestProof({ migration_id: ID, has_proof: false }));
  const leave = page.subscribe(() => undefined);
  expect(page.getCurrentResult()).toMatchObject({ data: null, isPending: false, fetchStatus: "idle" });
  page.setOptions(latestProof({ migration_id: ID, has_proof: true }));
  await vi.waitFor(() => expect(page.getCurrentResult().data).toEqual({ status: "done" }));
  expect(asked).toEqual([`/api/v1/migration/${ID}/proof`]);
  leave();
});
