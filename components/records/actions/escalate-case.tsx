import { Button, Textarea } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useQueryClient } from "@tanstack/react-query";

import { faultsByField } from "@/components/api/problem";
import { queryKeys, replaceData } from "@/components/api/query-keys";
import type { AnyRecord } from "@/components/records/record";
import { recordsChanged } from "@/components/records/records-changed";
import { DialogActions } from "@/components/ui/form/dialog-actions";
import { FormShell } from "@/components/ui/form/form-shell";
import { useApiForm } from "@/components/ui/form/use-api-form";
import { LeaveGuard } from "@/components/ui/leave/leave-guard";
import { Dialog } from "@/components/ui/overlay/dialog";

/**
 * A button that escalates a case; a closed one is reopened first. The dialog asks for the reason, and stays when
 * somebody else closes or escalates the case meanwhile: the answer says so.
 */
export function EscalateCase({ item }: { item: AnyRecord }) {
  const [opened, { open, close }] = useDisclosure();
  return (
    <>
      {item.is_escalated !== true && item.status !== "closed" && (
        <Button variant="default" onClick={open}>
          Escalate
        </Button>
      )}
      <Dialog opened={opened} onClose={close} title="Escalate this case?">
        <Form item={item} onDone={close} />
      </Dialog>
    </>
  );
}

function Form({ item, onDone }: { item: AnyRecord; onDone: () => void }) {
  const queries = useQueryClient();
  const { form, mutation, shell } = useApiForm({
    initialValues: { reason: "" },
    faultsOf: (error) => faultsByField(error, ["reason"]),
    send: (values, post) => post<AnyRecord>(`/cases/${item.id}/escalate`, values),
    // Somebody else may have closed or escalated it: the page shows it as it is.
    onRefused: () => void queries.invalidateQueries({ queryKey: queryKeys.record("cases", item.id) }),
    onSent: async (after) => {
      onDone();
      await replaceData(queries, queryKeys.record("cases", item.id), after);
      void recordsChanged(queries);
    },
  });
  return (
    <FormShell
      {...shell}
      actions={
        <DialogActions isPending={mutation.isPending} onCancel={onDone}>
          Escalate it
        </DialogActions>
      }
    >
      <LeaveGuard isUnsaved={form.values.reason !== "" && !mutation.isSuccess} what="Your words on the escalation" />
      <Textarea
        label="Why does it need attention?"
        description="It stands at the top of the case until the case is closed."
        required
        autosize
        minRows={3}
        maxRows={12}
        data-autofocus
        {...form.getInputProps("reason")}
      />
    </FormShell>
  );
}
