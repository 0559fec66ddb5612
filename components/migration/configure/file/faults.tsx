import { Code, List } from "@mantine/core";

import type { ChoiceFault } from "@/lib/migration/configuration/exported-schema";

/** Choices that are not possible, with where they stand and why. */
export function Faults({ faults }: { faults: readonly ChoiceFault[] }) {
  if (faults.length === 0) return null;
  return (
    <List size="sm">
      {faults.map(({ pointer, code, detail }) => (
        <List.Item key={`${pointer} ${code}`}>
          <Code>{pointer.replace(/^\/configuration/, "") || "/"}</Code> {detail}
        </List.Item>
      ))}
    </List>
  );
}
