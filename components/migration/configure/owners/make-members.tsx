import { Alert, Button, Group, Modal, Stack, Text } from "@mantine/core";
import { IconUserOff } from "@tabler/icons-react";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { z } from "zod";

import { queryKeys } from "@/components/api/query-keys";
import { sendJson } from "@/components/api/request";
import { useEditing } from "@/components/migration/configure/draft/use-draft";
import { Announcement } from "@/components/ui/feedback/announcement";
import { Confirm } from "@/components/ui/form/confirm";
import { useDialog } from "@/components/ui/form/use-dialog";
import { formatCount } from "@/components/ui/text/format";
import type { ListedOwner } from "@/lib/migration/owners/owners-schema";

/** The API makes so many at once. */
const MAX_AT_ONCE = 500;

const made = z.object({ data: z.array(z.object({ created: z.boolean() })) });

/** Offers to make inactive members of the users of Salesforce who would become nobody. */
export function MakeMembers({ owners }: { owners: readonly ListedOwner[] }) {
  const { migration } = useEditing();
  const dialog = useDialog<ListedOwner[]>();
  const mutation = useMakeMembers(migration.migration_id);
  const without = owners.filter(isWithoutMember);
  const asked = dialog.subject ?? [];
  return (
    <>
      {without.length > 0 && (
        <WithoutMember owners={without} onMake={() => dialog.open(without.slice(0, MAX_AT_ONCE))} />
      )}
      <Announcement>{mutation.isSuccess && "The members are made, and chosen as owners."}</Announcement>
      <Modal opened={dialog.isOpen} onClose={dialog.close} title="Make inactive members?">
        <Confirm
          mutation={mutation}
          action={`Make ${formatCount(asked.length, "member")}`}
          isDangerous={false}
          onCancel={dialog.close}
          onConfirm={() => mutation.mutate(asked, { onSuccess: dialog.close })}
        >
          <Text size="sm">
            {formatCount(asked.length, "user")} of Salesforce become inactive members, and own here what they own there.
            This writes members to your organization at once, but no records. Only admins can do it.
          </Text>
        </Confirm>
      </Modal>
    </>
  );
}

function WithoutMember({ owners, onMake }: { owners: readonly ListedOwner[]; onMake: () => void }) {
  const { isLocked, isChanged } = useEditing();
  const records = owners.reduce((sum, owner) => sum + owner.records, 0);
  return (
    <Alert
      color="amber"
      icon={<IconUserOff aria-hidden />}
      title={formatCount(owners.length, "user is no member", "users are no members")}
    >
      <Stack gap="sm" align="flex-start">
        <Text size="sm">
          They own {formatCount(records, "record")}. As inactive members they stay the owners: they cannot sign in until
          an admin invites them.
        </Text>
        <Group gap="sm">
          <Button size="xs" disabled={isLocked || isChanged} onClick={onMake}>
            Make inactive members
          </Button>
          {isChanged && (
            <Text size="sm" c="dimmed">
              Save your changes first.
            </Text>
          )}
        </Group>
      </Stack>
    </Alert>
  );
}

function useMakeMembers(id: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (owners: readonly ListedOwner[]) =>
      sendJson(
        "POST",
        `/migration/${id}/owners/members`,
        { users: owners.map((owner) => ({ id: owner.id, name: owner.name })) },
        made,
      ),
    // The members are choices of the configuration, which the server has saved.
    onSuccess: () =>
      Promise.all([
        queryClient.invalidateQueries({ queryKey: queryKeys.configuration(id) }),
        queryClient.invalidateQueries({ queryKey: queryKeys.choices(id) }),
        queryClient.invalidateQueries({ queryKey: queryKeys.members() }),
      ]),
  });
}

/** Whether a user, not a queue, whose name is known has no member, or only the fallback. */
function isWithoutMember({ kind, name, rule }: ListedOwner): boolean {
  return kind === "user" && name !== null && (rule === "nobody" || rule === "fallback");
}
