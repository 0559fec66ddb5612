import { Alert, List, ScrollArea, Text } from "@mantine/core";
import { IconAlertTriangle } from "@tabler/icons-react";

import { OtherRecord } from "@/components/records/deleted/restore-record";
import type { Failure } from "@/components/records/list/bulk/change-many";
import { RequestId } from "@/components/ui/feedback/request-id";

interface FailureListProps {
  /** What did not happen: "2 of 5 contacts were not changed". */
  title: string;
  failures: readonly Failure[];
}

/** The records that could not be changed, with the reason and what is in the way; below those of a request, its id. */
export function FailureList({ title, failures }: FailureListProps) {
  return (
    <Alert color="rust" role="alert" title={title} icon={<IconAlertTriangle aria-hidden />}>
      <ScrollArea.Autosize mah={240} viewportProps={{ tabIndex: 0 }}>
        <List size="sm" spacing={4}>
          {failures.map(({ id, name, reason, requestId, error }, index) => (
            <List.Item key={id}>
              <Text component="span" size="sm" fw={600}>
                <bdi>{name}</bdi>
              </Text>
              : {reason} <OtherRecord error={error} />
              {failures[index + 1]?.requestId !== requestId && <RequestId id={requestId} />}
            </List.Item>
          ))}
        </List>
      </ScrollArea.Autosize>
    </Alert>
  );
}
