import { Button } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useMutation, useQueryClient } from "@tanstack/react-query";

import { isOutdated } from "@/components/api/problem";
import { queryKeys, replaceData } from "@/components/api/query-keys";
import { sendJson } from "@/components/api/request";
import type { AnyRecord } from "@/components/records/record";
import { RECORD_NAMES } from "@/components/records/record-names";
import { recordsChanged } from "@/components/records/records-changed";
import { showProblem } from "@/components/ui/feedback/show-problem";
import { once } from "@/components/ui/form/once";
import type { ResourceName } from "@/lib/records/schema/resources";

interface Step {
  label: string;
  status: string;
  /** What is said once it is done, behind the kind of record. */
  done: string;
}

const CLOSE = { label: "Close", status: "closed", done: "closed" };
const COMPLETE = { label: "Complete", status: "completed", done: "completed" };

interface ChangeStatusProps {
  resource: ResourceName;
  item: AnyRecord;
}

/** A button that ends a case or an activity, or opens it again: no form has to be filled in for that. */
export function ChangeStatus({ resource, item }: ChangeStatusProps) {
  const step = nextStep(resource, item);
  const change = useChangeStatus(resource, item);
  if (!step) return null;
  return (
    <Button variant="default" loading={change.isPending} onClick={once(() => change.mutate(step))}>
      {step.label}
    </Button>
  );
}

/**
 * What ends or opens a record. Only tasks are opened again: a call or an e-mail that took place would lose its time.
 * They are not ended either where they have no status: they were only logged.
 */
export function nextStep(resource: ResourceName, { status, type }: Readonly<Record<string, unknown>>): Step | null {
  if (resource === "cases")
    return status === "closed" ? { label: "Reopen", status: "in_progress", done: "reopened" } : CLOSE;
  if (resource !== "activities") return null;
  const isTask = type === "task";
  if (status === "completed" || status === "cancelled")
    return isTask ? { label: "Reopen", status: "not_started", done: "reopened" } : null;
  return isTask || typeof status === "string" ? COMPLETE : null;
}

function useChangeStatus(resource: ResourceName, item: AnyRecord) {
  const queries = useQueryClient();
  const queryKey = queryKeys.record(resource, item.id);
  const { singular } = RECORD_NAMES[resource];
  return useMutation({
    mutationFn: ({ status }: Step) =>
      sendJson<AnyRecord>("PATCH", `/${resource}/${item.id}`, { status }, Number(item.version)),
    onSuccess: async (saved, { done }) => {
      await replaceData(queries, queryKey, saved);
      void recordsChanged(queries);
      notifications.show({ message: `${singular} ${done}` });
    },
    onError: (error) => {
      showProblem(error, {
        title: `The ${singular.toLowerCase()} was not changed`,
        ...(isOutdated(error) && {
          message: "Somebody else has changed it meanwhile. The page now shows it as it is.",
        }),
      });
      if (isOutdated(error)) void queries.invalidateQueries({ queryKey });
    },
  });
}
