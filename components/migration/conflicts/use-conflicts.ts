import { useMutation, useQueryClient } from "@tanstack/react-query";

import { queryKeys } from "@/components/api/query-keys";
import { sendJson } from "@/components/api/request";
import { SHORT_PAGE, useList } from "@/components/api/use-list";
import type { Choices } from "@/components/migration/conflicts/conflict-columns";
import { momentOf } from "@/components/migration/use-migration";
import type { Conflict, Decisions, Side, Undecided } from "@/lib/migration/conflicts/conflict-schema";
import type { Migration } from "@/lib/migration/migration-schema";
import type { SourceObjectName } from "@/lib/migration/objects/source-object-names";

/** The conflicts that nobody has decided yet. */
export function useConflicts(migration: Migration) {
  const { migration_id: id } = migration;
  return useList<Conflict>({
    queryKey: queryKeys.conflicts(id, momentOf(migration)),
    path: `/migration/${id}/conflicts?state=open&limit=${SHORT_PAGE}`,
  });
}

export type Decision = { take: Side } & ({ ids: string[]; fields: Choices } | { object: SourceObjectName });

/** Decides one conflict, or all of an object: the service takes some hundred at a time. */
export function useDecide(id: string) {
  const queryClient = useQueryClient();
  return useMutation({
    async mutationFn(decision: Decision) {
      let decided = 0;
      const refused: Undecided[] = [];
      for (;;) {
        const answer = await sendJson<Decisions>("POST", `/migration/${id}/conflicts/decide`, decision);
        decided += answer.decided;
        refused.push(...answer.not_decided);
        if (!answer.has_more) return { decided, refused };
      }
    },
    // What waited for a decision was left out. It is counted among the issues, and then in the run's results.
    onSettled: () =>
      Promise.all([
        queryClient.invalidateQueries({ queryKey: queryKeys.conflicts(id) }),
        queryClient.invalidateQueries({ queryKey: queryKeys.issues(id) }),
        queryClient.invalidateQueries({ queryKey: queryKeys.migration(id), exact: true }),
      ]),
  });
}
