import { asProblem, isOutdated } from "@/components/api/problem";
import { sendJson, sendParts } from "@/components/api/request";
import { restoreRecord } from "@/components/records/deleted/restore-record";
import { batchesOf } from "@/lib/batches";
import { MAX_BATCH_ITEMS } from "@/lib/input/limits";
import { relationsTo } from "@/lib/records/schema/registry";
import type { ResourceName } from "@/lib/records/schema/resources";

/** A record. It keeps its name, though it may be gone from the list when it is told what failed. */
export interface Named {
  id: string;
  name: string;
}

/** A record to change. */
export interface Target extends Named {
  /** The one that the reader has seen. */
  version: number;
}

/** A record that was not changed, and why. */
export interface Failure extends Named {
  reason: string;
  requestId: string | null;
  /** The refusal. */
  error?: unknown;
}

export interface Outcome {
  failures: Failure[];
  /** Id → version, of the records that have another version now. */
  versions: ReadonlyMap<string, number>;
}

/** Called with how many records have been worked on since the last call. */
type OnProgress = (count: number) => void;

/** So many requests at a time: an organization has ten places for requests, and others work too. */
const AT_ONCE = 4;

interface Results {
  /** `record`: as it is now. `problem` tells why one failed. */
  results: {
    record?: { version: number };
    problem?: { code: string; detail: string; errors: { code: string; detail: string }[] };
  }[];
}

/**
 * Gives the records the same values, batch after batch. What fails stays as it is, and so does what somebody else has
 * changed since the reader saw it.
 */
export async function editMany(
  resource: ResourceName,
  targets: readonly Target[],
  data: Readonly<Record<string, unknown>>,
  onProgress: OnProgress,
): Promise<Outcome> {
  const failures: Failure[] = [];
  const versions = new Map<string, number>();
  for (const batch of batchesOf(targets, MAX_BATCH_ITEMS)) {
    const edited = await editBatch(resource, batch, data);
    failures.push(...edited.failures);
    for (const [id, version] of edited.versions) versions.set(id, version);
    onProgress(batch.length);
  }
  return { failures, versions };
}

async function editBatch(resource: ResourceName, batch: readonly Target[], data: unknown): Promise<Outcome> {
  const items = batch.map(({ id, version }) => ({ action: "update", id, if_match: version, data }));
  try {
    const { value, requestId } = await sendParts<Results>(`/${resource}/batch`, { mode: "per_item", items });
    const results = batch.map((target, index) => ({ target, ...value.results[index] }));
    return {
      failures: results.flatMap(({ target, problem }) =>
        problem ? [{ ...target, reason: reasonOf(problem), requestId }] : [],
      ),
      versions: new Map(results.flatMap(({ target, record }) => (record ? [[target.id, record.version]] : []))),
    };
  } catch (error) {
    return { failures: batch.map((target) => failureOf(target, error)), versions: new Map() };
  }
}

/** Of one record among many it is said that it alone is left. */
const OUTDATED = "Somebody else has changed it meanwhile, so it is left as it is.";

function reasonOf({ code, detail, errors }: NonNullable<Results["results"][number]["problem"]>): string {
  if (code === "precondition_failed") return OUTDATED;
  return errors[0]?.detail ?? detail;
}

function failureOf({ id, name }: Named, error: unknown): Failure {
  const { message, requestId } = asProblem(error);
  return { id, name, reason: isOutdated(error) ? OUTDATED : message, requestId, error };
}

/**
 * Deletes records. What fails is returned, and so is what somebody else has changed since the reader saw it. Of kinds
 * that refer to their own (`parent_account_id`) no version is named: a deletion clears such references, and so gives
 * further records among `targets` another version.
 */
export async function deleteMany(
  resource: ResourceName,
  targets: readonly Target[],
  onProgress: OnProgress,
): Promise<Outcome> {
  const refersToItself = relationsTo(resource).some(({ from }) => from.resource === resource);
  const failures = await forEach(targets, onProgress, ({ id, version }) =>
    sendJson("DELETE", `/${resource}/${id}`, undefined, refersToItself ? null : version),
  );
  return { failures, versions: new Map() };
}

/** Restores deleted records. What fails is returned. */
export function restoreMany(
  resource: ResourceName,
  targets: readonly Named[],
  onProgress: OnProgress,
): Promise<Failure[]> {
  return forEach(targets, onProgress, ({ id }) => restoreRecord(resource, id));
}

async function forEach<Item extends Named>(
  targets: readonly Item[],
  onProgress: OnProgress,
  change: (target: Item) => Promise<unknown>,
): Promise<Failure[]> {
  const failures: Failure[] = [];
  const rest = targets.values();
  const work = async () => {
    for (const target of rest) {
      await change(target).catch((error: unknown) => failures.push(failureOf(target, error)));
      onProgress(1);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return failures;
}
