import { Alert, Button, Group, Stack, Text } from "@mantine/core";
import { IconUserOff } from "@tabler/icons-react";
import { useMutation, useQueryClient } from "@tanstack/react-query";

import { queryKeys } from "@/components/api/query-keys";
import { sendJson } from "@/components/api/request";
import { useEditing } from "@/components/migration/configure/draft/use-draft";
import { Announcement } from "@/components/ui/feedback/announcement";
import { Confirm } from "@/components/ui/form/confirm";
import { useDialog } from "@/components/ui/overlay/use-dialog";
import { Dialog } from "@/components/ui/overlay/dialog";
import { formatCount, formatNumber } from "@/components/ui/text/format";
import { MAX_MADE_AT_ONCE } from "@/lib/migration/owners/choose-owner";
import type { ListedOwner } from "@/lib/migration/owners/owners-schema";

/** Offers to make disabled members of the users of Salesforce who would become nobody. */
export function MakeMembers({ owners }: { owners: readonly ListedOwner[] }) {
  const { migration } = useEditing();
  const dialog = useDialog<ListedOwner[]>();
  const mutation = useMakeMembers(migration.migration_id);
  const without = owners.filter(isWithoutMember);
  const asked = dialog.subject ?? [];
  return (
    <>
      {without.length > 0 && (
        <WithoutMember owners={without} onMake={() => dialog.open(without.slice(0, MAX_MADE_AT_ONCE))} />
      )}
      <Announcement>{mutation.isSuccess && "The members are made, and chosen as owners."}</Announcement>
      <Dialog opened={dialog.isOpen} onClose={dialog.close} title="Make disabled members?">
        <Confirm
          mutation={mutation}
          action={`Make ${formatCount(asked.length, "member")}`}
          isDangerous={false}
          onCancel={dialog.close}
          onConfirm={() => mutation.mutate(asked, { onSuccess: dialog.close })}
        >
          <Text size="sm">
            {formatCount(
              asked.length,
              "user of Salesforce becomes a disabled member, and owns here what they own there.",
              "users of Salesforce become disabled members, and own here what they own there.",
            )}{" "}
            This writes members to your organization at once, but no records.
          </Text>
        </Confirm>
      </Dialog>
    </>
  );
}

function WithoutMember({ owners, onMake }: { owners: readonly ListedOwner[]; onMake: () => void }) {
  const records = owners.reduce((sum, owner) => sum + owner.records, 0);
  return (
    <Alert
      color="amber"
      icon={<IconUserOff aria-hidden />}
      title={formatCount(owners.length, "user is not a member here", "users are not members here")}
    >
      <Stack gap="sm" align="flex-start">
        <Text size="sm">
          {activityOf(owners)} They own {formatCount(records, "record")} of the selected objects. As disabled members
          they stay the owners: they cannot sign in until an admin invites them.
        </Text>
        <MakeButton onMake={onMake} />
      </Stack>
    </Alert>
  );
}

function MakeButton({ onMake }: { onMake: () => void }) {
  const { isAdmin, isLocked, isChanged } = useEditing();
  if (!isAdmin) return <Text size="sm">An admin of your organization can make them members here.</Text>;
  return (
    <Group gap="sm">
      <Button size="xs" disabled={isLocked || isChanged} onClick={onMake}>
        Make disabled members
      </Button>
      {isChanged && (
        <Text size="sm" c="dimmed">
          Save your changes first.
        </Text>
      )}
    </Group>
  );
}

/** "Active in Salesforce: 14. Inactive: 2.": the report counts them apart. */
function activityOf(owners: readonly ListedOwner[]): string {
  const inactive = owners.filter((owner) => owner.is_active === false).length;
  return `Active in Salesforce: ${formatNumber(owners.length - inactive)}. Inactive: ${formatNumber(inactive)}.`;
}

function useMakeMembers(id: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (owners: readonly ListedOwner[]) =>
      sendJson<{ data: { created: boolean }[] }>("POST", `/migration/${id}/owners/members`, {
        users: owners.map((owner) => ({ id: owner.id, name: owner.name })),
      }),
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
