import { TextInput } from "@mantine/core";
import { useDebouncedCallback } from "@mantine/hooks";
import { IconSearch } from "@tabler/icons-react";

/** Finds members by name or e-mail address, a moment after the reader has stopped typing. */
export function MemberSearch({ onSearch }: { onSearch: (q: string) => void }) {
  const search = useDebouncedCallback(onSearch, 250);
  return (
    <TextInput
      type="search"
      aria-label="Find a member"
      placeholder="Name or e-mail address"
      leftSection={<IconSearch size={16} stroke={1.6} aria-hidden />}
      maw="24rem"
      maxLength={200}
      onChange={(event) => search(event.currentTarget.value.trim())}
    />
  );
}
