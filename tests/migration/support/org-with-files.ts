import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterAll, beforeAll } from "vitest";

import { env } from "@/lib/env";
import { openClient, type SalesforceClient } from "@/lib/salesforce/client";
import { query, type SourceRecord } from "@/lib/salesforce/query";
import { type RunningOrg, startSandboxOrg } from "@/sandbox-org/start";

interface OrgWithFiles {
  org: RunningOrg;
  client: SalesforceClient;
  ask: (soql: string) => Promise<SourceRecord[]>;
  /** The ids of what an object has, in order. */
  idsOf: (object: string) => Promise<string[]>;
  /** `silent`: without a new time of the change. */
  update: (object: string, id: string, fields: Record<string, string>, silent?: boolean) => Promise<unknown>;
}

/** A sandbox org for the tests of a suite, and a folder for the files that they copy from it. */
export function useOrgWithFiles(): OrgWithFiles {
  const used = {} as OrgWithFiles;
  beforeAll(async () => {
    env.DATA_DIR = mkdtempSync(join(tmpdir(), "files-"));
    const org = await startSandboxOrg({ records: 300, seed: 3 });
    const client = openClient({ instanceUrl: org.instanceUrl, accessToken: org.accessToken, apiVersion: "67.0" });
    const ask = async (soql: string) => (await query(client, soql, { all: true })).records;
    Object.assign(used, {
      org,
      client,
      ask,
      idsOf: async (object) =>
        (await ask(`SELECT Id FROM ${object} WHERE IsDeleted = false ORDER BY Id`)).map(({ Id }) => String(Id)),
      update: (object, id, fields, silent = false) => org.mutate({ op: "update", object, id, fields, silent }),
    } satisfies OrgWithFiles);
  });
  afterAll(async () => {
    rmSync(env.DATA_DIR, { recursive: true });
    await used.org.stop();
  });
  return used;
}
