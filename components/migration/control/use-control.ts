import { hashKey, type Mutation, useMutation, useQueryClient } from "@tanstack/react-query";

import { Problem } from "@/components/api/problem";
import { queryKeys, replaceData } from "@/components/api/query-keys";
import { getJson, sendJson } from "@/components/api/request";
import { STATUSES } from "@/components/migration/wizard/migration-statuses";
import type { Migration } from "@/lib/migration/migration-schema";

/**
 * What can be asked of a migration without further words. `run` begins from the start; a delta reads what changed
 * since, a retry what failed.
 */
export type Control = "run" | "pause" | "resume" | "cancel" | "retry" | "delta" | "undo";

/** A run of the objects of one phase. */
interface PhaseRun {
  phase: number;
}

/**
 * Asks something of a migration, and shows at once what has become of it. A double click is one request; something else
 * waits for the answer before it.
 */
export function useControl(id: string, onDone?: () => void) {
  const queryClient = useQueryClient();
  const mutationKey = ["control", id];
  const control = useMutation({
    mutationKey,
    scope: { id: hashKey(mutationKey) },
    mutationFn: (action: Control | PhaseRun) => ask(id, action, queryClient.getQueryData(queryKeys.migration(id))),
    onSuccess: async (changed, action) => {
      await replaceData(queryClient, queryKeys.migration(id), changed);
      if (action !== "pause" && action !== "resume") forgetResults(queryClient, id);
      onDone?.();
      await queryClient.invalidateQueries({ queryKey: queryKeys.migrations() });
    },
    onError: () => queryClient.invalidateQueries({ queryKey: queryKeys.migration(id), exact: true }),
  });
  const mutate = (action: Control | PhaseRun) => {
    const isSame = (mutation: Mutation<unknown, unknown>) => hashKey([mutation.state.variables]) === hashKey([action]);
    if (queryClient.isMutating({ mutationKey, predicate: isSame }) === 0) control.mutate(action);
  };
  return { ...control, mutate };
}

/**
 * Somebody may have asked the same just before, in another tab or at another desk: then it is as it was wanted. Or they
 * have asked something else: what the API says of that are names of statuses.
 */
async function ask(id: string, action: Control | PhaseRun, seen: Migration | undefined): Promise<Migration> {
  try {
    return await send(id, action);
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== "illegal_state") throw error;
    const now = await getJson<Migration>(`/migration/${id}`);
    if (isReached(action, now)) return now;
    if (seen === undefined || seen.status === now.status) throw error;
    const title = "The migration was changed meanwhile";
    const detail = `It is “${STATUSES[now.status].label}” now, so nothing was done. Look at it, then try again.`;
    throw new Problem({ title, detail, status: error.status, code: error.code });
  }
}

function send(id: string, action: Control | PhaseRun): Promise<Migration> {
  return action === "run" || typeof action === "object"
    ? sendJson<Migration>("POST", "/migration/run", { migration_id: id, ...(action !== "run" && action) })
    : sendJson<Migration>("POST", `/migration/${id}/${action}`, {});
}

/** Whether a migration is what the action would have made of it. */
function isReached(action: Control | PhaseRun, { status, run_kind: kind, phases }: Migration): boolean {
  if (typeof action === "object")
    return phases.some(({ phase, status: state }) => phase === action.phase && state === "running");
  if (action === "pause") return status === "paused";
  if (action === "cancel") return status === "cancelled";
  if (action === "undo") return status === "undoing" || status === "undone";
  if (action === "resume") return status === "running";
  return status === "running" && kind === (action === "run" ? "full" : action);
}

/** What earlier runs left out, or left to decide, is no longer so. */
function forgetResults(queryClient: ReturnType<typeof useQueryClient>, id: string): void {
  for (const queryKey of [
    queryKeys.issues(id),
    queryKeys.conflicts(id),
    queryKeys.undoImpact(id),
    queryKeys.undoKept(id),
  ])
    queryClient.removeQueries({ queryKey });
}
