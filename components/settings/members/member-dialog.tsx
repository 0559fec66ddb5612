import { Button, Group, List, Modal, Stack } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { z } from "zod";

import { queryKeys } from "@/components/api/query-keys";
import { sendJson } from "@/components/api/request";
import { ProblemAlert } from "@/components/ui/feedback/problem-alert";
import { NewLink } from "@/components/settings/members/new-link";
import { type MemberAction, questionOf } from "@/components/settings/members/questions";
import type { Member } from "@/lib/sessions/schemas";

/** Of all answers; a link alone has one. */
const answer = z.object({ url: z.string().optional() });

export interface Asked {
  member: Member;
  action: MemberAction;
  /** It is about the reader. */
  isSelf: boolean;
}

interface MemberDialogProps {
  opened: boolean;
  /** Null while it has never been opened. */
  asked: Asked | null;
  onClose: () => void;
}

/**
 * Says what will happen, does it, and shows a link that was made. Always there, so that on closing the focus goes back
 * to where it came from.
 */
export function MemberDialog({ opened, asked, onClose }: MemberDialogProps) {
  const [url, setUrl] = useState<string | null>(null);
  const title = asked && questionOf(asked.action, asked.member, asked.isSelf).title;
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      onExitTransitionEnd={() => setUrl(null)}
      title={<bdi>{url ? "The one-time link" : title}</bdi>}
      closeOnClickOutside={!url}
      closeOnEscape={!url}
      size={url ? "xl" : "md"}
    >
      {asked && url && <NewLink url={url} name={asked.member.name} onDone={onClose} />}
      {asked && !url && <Asking asked={asked} onClose={onClose} onLink={setUrl} />}
    </Modal>
  );
}

interface AskingProps {
  asked: Asked;
  onClose: () => void;
  onLink: (url: string) => void;
}

function Asking({ asked: { member, action, isSelf }, onClose, onLink }: AskingProps) {
  const queries = useQueryClient();
  const router = useRouter();
  const {
    method,
    path,
    body,
    done,
    label,
    button = label,
    consequences,
    isDangerous,
  } = questionOf(action, member, isSelf);
  const act = useMutation({
    mutationFn: () => sendJson(method, path, body, answer),
    onSuccess: async ({ url }) => {
      if (url) onLink(url);
      await queries.invalidateQueries({ queryKey: queryKeys.members() });
      if (url) return;
      onClose();
      notifications.show({ message: done });
      // Who is no admin any more does not see this page.
      if (isSelf) router.refresh();
    },
  });
  return (
    <Stack>
      {act.isError && <ProblemAlert error={act.error} takesFocus />}
      <List size="sm" spacing={6}>
        {consequences.map((sentence) => (
          <List.Item key={sentence}>{sentence}</List.Item>
        ))}
      </List>
      <Group justify="flex-end" gap="sm">
        <Button variant="default" onClick={onClose} data-autofocus>
          Cancel
        </Button>
        <Button {...(isDangerous && { color: "rust" })} loading={act.isPending} onClick={() => act.mutate()}>
          {button}
        </Button>
      </Group>
    </Stack>
  );
}
