import { List } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useState } from "react";

import { queryKeys } from "@/components/api/query-keys";
import { sendJson } from "@/components/api/request";
import { InviteForm } from "@/components/settings/members/invite-form";
import { NewLink } from "@/components/settings/members/new-link";
import { OwnedRecords } from "@/components/settings/members/owned-records";
import { type MemberAction, type Question, questionOf } from "@/components/settings/members/questions";
import { SecretDialog } from "@/components/ui/overlay/secret-dialog";
import { Confirm } from "@/components/ui/form/confirm";
import type { Member } from "@/lib/sessions/schemas";

/** The action that the dialog asks about. Of all the answers, only that of a new link has a `url`. */
export interface MemberQuestion {
  member: Member;
  action: MemberAction;
  /** The member is the reader. */
  isSelf: boolean;
}

interface MemberDialogProps {
  opened: boolean;
  /** Null until the dialog is opened. */
  question: MemberQuestion | null;
  onClose: () => void;
}

/**
 * Says what an action will do, carries it out, and shows the link if it made one. Always mounted, so that on closing
 * the focus returns to where it was.
 */
export function MemberDialog({ opened, question, onClose }: MemberDialogProps) {
  const [url, setUrl] = useState<string | null>(null);
  const title = question && titleOf(question);
  return (
    <SecretDialog
      opened={opened}
      onClose={onClose}
      onExitTransitionEnd={() => setUrl(null)}
      title={<bdi>{url ? "The one-time link" : title}</bdi>}
      showsSecret={url !== null}
      size={url ? "xl" : "md"}
    >
      {question && url && <NewLink url={url} name={question.member.name} onDone={onClose} />}
      {question && !url && <Asked question={question} onClose={onClose} onLink={setUrl} />}
    </SecretDialog>
  );
}

function titleOf({ action, member, isSelf }: MemberQuestion): string {
  return action === "invite" ? `Invite ${member.name}` : questionOf(action, member, isSelf).title;
}

interface QuestionProps {
  question: MemberQuestion;
  onClose: () => void;
  onLink: (url: string) => void;
}

function Asked({ question, onClose, onLink }: QuestionProps) {
  const { member, action, isSelf } = question;
  return action === "invite" ? (
    <InviteForm member={member} onCancel={onClose} onLink={onLink} />
  ) : (
    <Confirmation question={questionOf(action, member, isSelf)} isSelf={isSelf} onClose={onClose} onLink={onLink} />
  );
}

interface ConfirmationProps extends Omit<QuestionProps, "question"> {
  question: Question;
  isSelf: boolean;
}

function Confirmation({ question, isSelf, onClose, onLink }: ConfirmationProps) {
  const queries = useQueryClient();
  const router = useRouter();
  const act = useMutation({
    mutationFn: () => sendJson<{ url?: string }>(question.method, question.path, question.body),
    onSuccess: async ({ url }) => {
      if (url) onLink(url);
      await queries.invalidateQueries({ queryKey: queryKeys.members() });
      if (url) return;
      onClose();
      notifications.show({ message: question.done });
      // A reader who is no longer an admin does not see this page.
      if (isSelf) router.refresh();
    },
  });
  return (
    <Confirm
      mutation={act}
      action={question.button ?? question.label}
      isDangerous={question.isDangerous ?? false}
      onConfirm={() => act.mutate()}
      onCancel={onClose}
    >
      <List size="sm" spacing={6}>
        {question.consequences.map((sentence) => (
          <List.Item key={sentence}>{sentence}</List.Item>
        ))}
      </List>
      {question.ownerId !== undefined && <OwnedRecords ownerId={question.ownerId} />}
    </Confirm>
  );
}
