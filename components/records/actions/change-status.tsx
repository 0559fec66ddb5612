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
import { inWords } from "@/components/ui/text/format";
import type { ResourceName } from "@/lib/records/schema/resources";

interface Step {
  label: string;
  status: string;
}

interface ChangeStatusProps {
  resource: ResourceName;
  item: AnyRecord;
}

/** A button that ends a case or an activity, or opens it again: no form has to be filled in for that. */
export function ChangeStatus({ resource, item }: ChangeStatusProps) {
  const step = nextStep(resource, item.status);
  const change = useChangeStatus(resource, item);
  if (!step) return null;
  return (
    <Button variant="default" loading={change.isPending} onClick={() => change.mutate(step.status)}>
      {step.label}
    </Button>
  );
}

/** What ends or opens it; nothing for a call or a meeting that was only logged. */
function nextStep(resource: ResourceName, status: unknown): Step | null {
  if (resource === "cases")
    return status === "closed" ? { label: "Reopen", status: "in_progress" } : { label: "Close", status: "closed" };
  if (resource !== "activities" || typeof status !== "string") return null;
  if (status === "completed" || status === "cancelled") return { label: "Reopen", status: "not_started" };
  return { label: "Complete", status: "completed" };
}

function useChangeStatus(resource: ResourceName, item: AnyRecord) {
  const queries = useQueryClient();
  const queryKey = queryKeys.record(resource, item.id);
  const { singular } = RECORD_NAMES[resource];
  return useMutation({
    mutationFn: (status: string) =>
      sendJson<AnyRecord>("PATCH", `/${resource}/${item.id}`, { status }, Number(item.version)),
    onSuccess: async (saved, status) => {
      await replaceData(queries, queryKey, saved);
      void recordsChanged(queries);
      notifications.show({ message: `${singular} ${inWords(status).toLowerCase()}` });
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
