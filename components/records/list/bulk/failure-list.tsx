import { Alert, List, ScrollArea, Text } from "@mantine/core";
import { IconAlertTriangle } from "@tabler/icons-react";

import type { Failure } from "@/components/records/list/bulk/change-many";

interface FailureListProps {
  /** What did not happen: "2 of 5 contacts were not changed". */
  title: string;
  failures: readonly Failure[];
}

/** The records that could not be changed, each with the reason. */
export function FailureList({ title, failures }: FailureListProps) {
  return (
    <Alert color="rust" role="alert" title={title} icon={<IconAlertTriangle aria-hidden />}>
      <ScrollArea.Autosize mah={240} viewportProps={{ tabIndex: 0 }}>
        <List size="sm" spacing={4}>
          {failures.map(({ id, name, reason }) => (
            <List.Item key={id}>
              <Text component="span" size="sm" fw={600}>
                <bdi>{name}</bdi>
              </Text>
              : {reason}
            </List.Item>
          ))}
        </List>
      </ScrollArea.Autosize>
    </Alert>
  );
}
