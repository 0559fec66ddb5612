import { Radio, Group, Textarea } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";

import { faultsByField } from "@/components/api/problem";
import type { AnyRecord } from "@/components/records/record";
import { recordsChanged } from "@/components/records/records-changed";
import classes from "@/components/records/thread/add-comment.module.css";
import { Announcement } from "@/components/ui/feedback/announcement";
import { FormShell } from "@/components/ui/form/form-shell";
import { replaceSent } from "@/components/ui/form/replace-sent";
import { SubmitButton } from "@/components/ui/form/submit-button";
import { useApiForm } from "@/components/ui/form/use-api-form";
import { LeaveGuard } from "@/components/ui/leave/leave-guard";

const BLANK = { body: "", visibility: "internal" };

/** Adds a comment to the end of a case's thread. It is internal unless the writer chooses otherwise. */
export function AddComment({ caseId }: { caseId: string }) {
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
  return (
    <div className={classes.form}>
      <LeaveGuard isUnsaved={form.values.body !== ""} what="The words of your comment" />
      <FormShell
        {...shell}
        actions={
          <SubmitButton isPending={mutation.isPending} isUnchanged={form.values.body.trim() === ""}>
            Add the comment
          </SubmitButton>
        }
      >
        <Textarea label="Comment" autosize minRows={3} maxRows={16} {...form.getInputProps("body")} />
        <Radio.Group
          label="Visibility"
          description="Nothing is sent to the customer; a public comment is marked for apps that show it."
          {...form.getInputProps("visibility")}
        >
          <Group gap="lg" mt={6}>
            <Radio value="internal" label="Internal" />
            <Radio value="public" label="Public" />
          </Group>
        </Radio.Group>
        <Announcement>{mutation.isSuccess && "It is added to the thread."}</Announcement>
      </FormShell>
    </div>
  );
}
