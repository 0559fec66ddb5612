import { Button, Radio, Group, Textarea } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";

import { faultsByField } from "@/components/api/problem";
import type { AnyRecord } from "@/components/records/record";
import { recordsChanged } from "@/components/records/records-changed";
import classes from "@/components/records/thread/reply.module.css";
import { Announcement } from "@/components/ui/feedback/announcement";
import { FormShell } from "@/components/ui/form/form-shell";
import { replaceSent } from "@/components/ui/form/replace-sent";
import { useApiForm } from "@/components/ui/form/use-api-form";
import { LeaveGuard } from "@/components/ui/leave/leave-guard";

const BLANK = { body: "", visibility: "internal" };

/** Adds a comment to the end of a case's thread. It is internal unless the writer chooses otherwise. */
export function Reply({ caseId }: { caseId: string }) {
  const queries = useQueryClient();
  const { form, mutation, shell } = useApiForm({
    initialValues: BLANK,
    stays: true,
    faultsOf: (error) => faultsByField(error, ["body"]),
    send: ({ body, visibility }, post) =>
      post<AnyRecord>(`/cases/${caseId}/comments`, { body, is_public: visibility === "public" }),
    onSent: async (_, sent, sender) => {
      replaceSent(sender, sent, { ...BLANK, visibility: sent.visibility });
      await recordsChanged(queries);
    },
  });
  const isPublic = form.values.visibility === "public";
  return (
    <div className={classes.reply}>
      <LeaveGuard isUnsaved={form.values.body !== ""} what="The words of your reply" />
      <FormShell
        {...shell}
        actions={
          <Button type="submit" loading={mutation.isPending} disabled={form.values.body.trim() === ""}>
            {isPublic ? "Reply publicly" : "Add the internal note"}
          </Button>
        }
      >
        <Textarea label="Write to the thread" autosize minRows={3} maxRows={16} {...form.getInputProps("body")} />
        <Radio.Group label="Who may read it?" {...form.getInputProps("visibility")}>
          <Group gap="lg" mt={6}>
            <Radio value="internal" label="Only us: an internal note" />
            <Radio value="public" label="The customer too: a public reply" />
          </Group>
        </Radio.Group>
        <Announcement>{mutation.isSuccess && "It is added to the thread."}</Announcement>
      </FormShell>
    </div>
  );
}
