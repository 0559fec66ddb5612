import { EmptyState, Paper } from "@mantine/core";
import { IconPlugConnected } from "@tabler/icons-react";

/** What the page says to somebody who has allowed nothing. */
export function NoApps() {
  return (
    <Paper withBorder py={56} px="md">
      <EmptyState
        icon={<IconPlugConnected stroke={1.4} />}
        variant="light"
        title="You have allowed no app"
        description="When an app asks to act in your name and you allow it, it stands here, and you can remove its access."
      />
    </Paper>
  );
}
