import { Button, EmptyState, Paper } from "@mantine/core";
import { IconHistory } from "@tabler/icons-react";

/** What the page says when there is nothing to tell. */
export function NoEvents({ isNarrowed, onClear }: { isNarrowed: boolean; onClear: () => void }) {
  return (
    <Paper withBorder py={56} px="md">
      <EmptyState
        icon={<IconHistory stroke={1.4} />}
        variant="light"
        title={isNarrowed ? "Nothing like that has happened" : "Nothing has happened yet"}
        description={
          isNarrowed
            ? "No event fits these filters."
            : "Sign-ins, changes of API clients, access tokens and migrations will be told here from now on."
        }
      >
        {isNarrowed && (
          <EmptyState.Actions>
            <Button variant="default" onClick={onClear}>
              Clear the filters
            </Button>
          </EmptyState.Actions>
        )}
      </EmptyState>
    </Paper>
  );
}
