import { Text } from "@mantine/core";

import { useEditing } from "@/components/migration/configure/draft/use-draft";

/** Says that numbers follow what is saved, while something is not. */
export function SavedNote() {
  const { isChanged } = useEditing();
  return (
    isChanged && (
      <Text size="sm" c="dimmed">
        The numbers are those of the saved choices. Save your changes to count again.
      </Text>
    )
  );
}
