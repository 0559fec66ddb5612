import { Badge, Button, Text } from "@mantine/core";
import { IconChevronDown } from "@tabler/icons-react";

import type { MemberQuestion } from "@/components/settings/members/member-dialog";
import { hasNoAddress } from "@/components/settings/members/no-address";
import { actionsFor, labelOf } from "@/components/settings/members/questions";
import type { StackColumn } from "@/components/ui/layout/stack-table";
import { ActionMenu } from "@/components/ui/overlay/action-menu";
import { Ago } from "@/components/ui/text/ago";
import { Breakable } from "@/components/ui/text/breakable";
import { formatCount, formatExact } from "@/components/ui/text/format";
import type { Member } from "@/lib/sessions/schemas";

const STATUS = { active: ["pine", "Active"], invited: ["sky", "Invited"], disabled: ["gray", "Disabled"] } as const;

/** The columns of the list of members, with a menu of actions. */
export function memberColumns(selfId: string, onAsk: (question: MemberQuestion) => void): StackColumn<Member>[] {
  return [
    {
      key: "name",
      header: "Member",
      heading: true,
      cell: ({ user_id, name, email }) => (
        <>
          <bdi>{name}</bdi>
          {user_id === selfId && " (you)"}
          <Text size="sm" c="dimmed" fw={400}>
            {hasNoAddress({ email }) ? "No e-mail address yet" : <Breakable text={email} kind="email" />}
          </Text>
        </>
      ),
    },
    { key: "role", header: "Role", cell: ({ role }) => (role === "admin" ? "Admin" : "Member") },
    { key: "status", header: "Status", cell: (row) => <Status member={row} /> },
    { key: "signed_in", header: "Signed in", cell: (row) => <SignedIn member={row} /> },
    {
      key: "actions",
      header: "Actions",
      controls: true,
      cell: (row) => <Actions member={row} isSelf={row.user_id === selfId} onAsk={onAsk} />,
    },
  ];
}

function Status({ member: { status, link_expires_at } }: { member: Member }) {
  const [color, label] = STATUS[status];
  return (
    <>
      <Badge color={color}>{label}</Badge>
      {link_expires_at && (
        <Text size="xs" c="dimmed" title={formatExact(link_expires_at)}>
          One-time link made
        </Text>
      )}
      {status === "invited" && !link_expires_at && (
        <Text size="xs" c="dimmed">
          One-time link no longer works
        </Text>
      )}
    </>
  );
}

function SignedIn({ member: { sessions, last_used_at } }: { member: Member }) {
  if (sessions === 0 || !last_used_at) return <>nowhere</>;
  return (
    <>
      {formatCount(sessions, "browser")}, used <Ago iso={last_used_at} />
    </>
  );
}

function Actions({
  member,
  isSelf,
  onAsk,
}: {
  member: Member;
  isSelf: boolean;
  onAsk: (question: MemberQuestion) => void;
}) {
  return (
    <ActionMenu
      sections={[
        {
          actions: actionsFor(member, isSelf).map((action) => ({
            ...labelOf(action, member, isSelf),
            onChoose: () => onAsk({ member, action, isSelf }),
          })),
        },
      ]}
    >
      <Button
        variant="default"
        size="xs"
        rightSection={<IconChevronDown size={14} aria-hidden />}
        aria-label={`Manage ${member.name}`}
      >
        Manage
      </Button>
    </ActionMenu>
  );
}
