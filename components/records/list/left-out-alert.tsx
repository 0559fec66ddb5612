import { Alert, Text } from "@mantine/core";
import { IconAlertTriangle } from "@tabler/icons-react";

import type { LeftOut } from "@/components/records/list/view/left-out";

/** Says which parts of the page's address the list leaves out, so that nobody takes it for what they asked for. */
export function LeftOutAlert({ parts }: { parts: readonly LeftOut[] }) {
  if (parts.length === 0) return null;
  return (
    <Alert
      color="amber"
      role="alert"
      title="A part of the address was not understood"
      icon={<IconAlertTriangle aria-hidden />}
    >
      <Text size="sm" style={{ overflowWrap: "anywhere" }}>
        The list is shown without it:{" "}
        {parts.map(({ label, value }, index) => (
          // The same part can be given twice, and parts never move.
          // oxlint-disable-next-line react/no-array-index-key
          <span key={index}>
            {index > 0 && ", "}
            {label} “<bdi>{value}</bdi>”
          </span>
        ))}
        .
      </Text>
    </Alert>
  );
}
