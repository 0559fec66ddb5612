import { Badge, Button, Group } from "@mantine/core";

import { plainAddress } from "@/components/settings/audit-log/audit-event";
import type { StackColumn } from "@/components/ui/layout/stack-table";
import { Ago } from "@/components/ui/text/ago";
import type { OwnSession } from "@/lib/sessions/schemas";

/** The columns of the list of sessions. */
export function sessionColumns(onEnd: (session: OwnSession) => void): StackColumn<OwnSession>[] {
  return [
    {
      key: "browser",
      header: "Browser",
      heading: true,
      cell: ({ browser, is_current }) => (
        <Group gap="xs">
          {browser}
          {is_current && <Badge>This browser</Badge>}
        </Group>
      ),
    },
    { key: "address", header: "Network address", cell: ({ address }) => plainAddress(address) },
    { key: "last_used_at", header: "Last used", cell: ({ last_used_at }) => <Ago iso={last_used_at} /> },
    { key: "created_at", header: "Signed in", cell: ({ created_at }) => <Ago iso={created_at} /> },
    {
      key: "actions",
      header: "Sign out",
      controls: true,
      cell: (row) =>
        row.is_current ? null : (
          <Button
            variant="default"
            size="xs"
            onClick={() => onEnd(row)}
            aria-label={`Sign out ${row.browser}, ${plainAddress(row.address)}`}
          >
            Sign out
          </Button>
        ),
    },
  ];
}
