import { List } from "@mantine/core";

import { describeChange } from "@/components/migration/configure/draft/change-words";
import type { Change } from "@/components/migration/configure/draft/changes";

const MAX_SHOWN = 8;

/** Changes of choices as sentences: the first of them, and how many more there are. */
export function ChangeList({ changes }: { changes: readonly Change[] }) {
  const sentences = [...new Set(changes.map(describeChange))];
  return (
    <List size="sm">
      {sentences.slice(0, MAX_SHOWN).map((sentence) => (
        <List.Item key={sentence}>{sentence}</List.Item>
      ))}
      {sentences.length > MAX_SHOWN && <List.Item>and {sentences.length - MAX_SHOWN} more</List.Item>}
    </List>
  );
}
