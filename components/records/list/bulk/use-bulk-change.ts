import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";

import type { Failure, Outcome, Target } from "@/components/records/list/bulk/change-many";
import { setVersions } from "@/components/records/list/use-records";
import { useLeaveWarning } from "@/components/ui/leave/use-leave-warning";
import { formatRecords } from "@/components/records/record-names";
import { recordsChanged } from "@/components/records/records-changed";
import { formatCount } from "@/components/ui/text/format";
import type { ResourceName } from "@/lib/records/schema/resources";

/** What a dialog about the selected rows is given. */
export interface BulkProps {
  resource: ResourceName;
  targets: readonly Target[];
  /** Clears the selection. */
  onClear: () => void;
}

interface Change {
  targets: readonly Target[];
  run: (onProgress: (count: number) => void) => Promise<Outcome>;
}

/**
 * Changes many records, counts how many are done, and has every list read again. Before the page is closed meanwhile,
 * the browser asks: nobody would see which were not changed.
 */
export function useBulkChange(resource: ResourceName, onDone: (changed: Target[], failures: Failure[]) => void) {
  const queries = useQueryClient();
  const [done, setDone] = useState(0);
  const mutation = useMutation({
    mutationFn: ({ run }: Change) => {
      setDone(0);
      return run((count) => setDone((before) => before + count));
    },
    onSuccess: ({ failures, versions }, { targets }) => {
      const failed = new Set(failures.map(({ id }) => id));
      // Lists are read again, which takes a while. Until then another change must name what this one has made.
      setVersions(queries, resource, versions);
      void recordsChanged(queries);
      void queries.invalidateQueries({ queryKey: ["record", resource] });
      onDone(
        targets.filter(({ id }) => !failed.has(id)),
        failures,
      );
    },
  });
  useLeaveWarning(mutation.isPending);
  return { ...mutation, done, failures: mutation.data?.failures ?? [], count: mutation.variables?.targets.length ?? 0 };
}

/** What did not happen: "2 of 5 contacts were not changed". */
export function notDone(resource: ResourceName, failed: number, count: number, done: "changed" | "deleted"): string {
  const all = formatRecords(resource, count);
  return formatCount(failed, `of ${all} was not ${done}`, `of ${all} were not ${done}`);
}
