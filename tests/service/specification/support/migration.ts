import type { ObjectRow } from "@/tests/service/support/migrate";
import { type Api, demo } from "@/tests/service/specification/support/service";

interface ObjectProgress extends Omit<ObjectRow, "reconciled"> {
  resource: string;
}

export interface Migration {
  migration_id: string;
  status: string;
  objects: ObjectProgress[];
}

export const ORG = demo.sandbox_org;

/** Requests the analysis and polls the status endpoint until it has ended. */
export async function analyzed(api: Api): Promise<Migration> {
  const { migration_id } = await api.must<Migration>("POST", "/migration/analyze", ORG);
  return (await until(api, migration_id, ({ status }) => status !== "analyzing")).at(-1) as Migration;
}

/** Polls the status endpoint. Returns every answer, up to the first for which `wanted` is true. */
export async function until(api: Api, id: string, wanted: (migration: Migration) => boolean): Promise<Migration[]> {
  const seen: Migration[] = [];
  const deadline = Date.now() + 300_000;
  for (;;) {
    const migration = await api.must<Migration>("GET", `/migration/${id}`);
    seen.push(migration);
    if (wanted(migration)) return seen;
    if (Date.now() > deadline) throw new Error(`The migration is still ${migration.status}.`);
    await new Promise((done) => void setTimeout(done, 20));
  }
}

/** Polls until the import has ended. */
export function finished(api: Api, id: string): Promise<Migration[]> {
  return until(api, id, ({ status }) => status !== "running");
}
