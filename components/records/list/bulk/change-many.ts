import { asProblem } from "@/components/api/problem";
import { sendJson } from "@/components/api/request";
import type { ResourceName } from "@/lib/records/schema/resources";

/** A record to change. It keeps its name, though it may be gone from the list when it is told what failed. */
export interface Target {
  id: string;
  name: string;
}

/** A record that was not changed, and why. */
export interface Failure extends Target {
  reason: string;
}

/** Called with how many records have been worked on since the last call. */
type OnProgress = (count: number) => void;

/** As many as one batch of the API takes. */
const BATCH = 200;

/** So many requests at a time: an organization has ten places for requests, and others work too. */
const AT_ONCE = 4;

interface Results {
  /** `problem` tells why one failed. */
  results: { status: string; problem?: { detail: string; errors: { detail: string }[] } }[];
}

/** Gives the records the same values, batch after batch. What fails stays as it is and is returned. */
export async function editMany(
  resource: ResourceName,
  targets: readonly Target[],
  data: Readonly<Record<string, unknown>>,
  onProgress: OnProgress,
): Promise<Failure[]> {
  const failures: Failure[] = [];
  for (let start = 0; start < targets.length; start += BATCH) {
    const batch = targets.slice(start, start + BATCH);
    failures.push(...(await editBatch(resource, batch, data)));
    onProgress(batch.length);
  }
  return failures;
}

async function editBatch(resource: ResourceName, batch: readonly Target[], data: unknown): Promise<Failure[]> {
  const body = { mode: "per_item", items: batch.map(({ id }) => ({ action: "update", id, data })) };
  try {
    const answer = await sendJson<Results>("POST", `/${resource}/batch`, body);
    return batch.flatMap((target, index) => {
      const problem = answer.results[index]?.problem;
      if (!problem) return [];
      const { detail, errors } = problem;
      return [{ ...target, reason: errors[0]?.detail ?? detail }];
    });
  } catch (error) {
    const reason = asProblem(error).message;
    return batch.map((target) => ({ ...target, reason }));
  }
}

/** Deletes records. What fails is returned. */
export function deleteMany(
  resource: ResourceName,
  targets: readonly Target[],
  onProgress: OnProgress,
): Promise<Failure[]> {
  return forEach(targets, onProgress, (id) => sendJson("DELETE", `/${resource}/${id}`, undefined));
}

/** Restores deleted records. What fails is returned. */
export function restoreMany(resource: ResourceName, targets: readonly Target[]): Promise<Failure[]> {
  return forEach(
    targets,
    () => undefined,
    (id) => sendJson("POST", `/${resource}/${id}/restore`, {}),
  );
}

async function forEach(
  targets: readonly Target[],
  onProgress: OnProgress,
  change: (id: string) => Promise<unknown>,
): Promise<Failure[]> {
  const failures: Failure[] = [];
  const rest = targets.values();
  const work = async () => {
    for (const target of rest) {
      await change(target.id).catch((error: unknown) => failures.push({ ...target, reason: asProblem(error).message }));
      onProgress(1);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return failures;
}
