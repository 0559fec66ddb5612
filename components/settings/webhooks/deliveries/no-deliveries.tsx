import { Button, EmptyState, Paper } from "@mantine/core";
import { IconSend } from "@tabler/icons-react";

interface NoDeliveriesProps {
  isNarrowed: boolean;
  onClear: () => void;
}

/** What the log says when there is nothing in it. */
export function NoDeliveries({ isNarrowed, onClear }: NoDeliveriesProps) {
  return (
    <Paper withBorder py="xl" px="md">
      <EmptyState
        icon={<IconSend stroke={1.4} />}
        variant="light"
        title={isNarrowed ? "No delivery fits these filters" : "Nothing was sent yet"}
        description={
          isNarrowed
            ? undefined
            : "As soon as one of the chosen events happens, it stands here with every attempt to deliver it, for 30 " +
              "days."
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
