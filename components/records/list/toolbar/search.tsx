import { CloseButton, TextInput } from "@mantine/core";
import { IconSearch } from "@tabler/icons-react";

import classes from "@/components/records/list/record-list.module.css";
import { useTypedText } from "@/components/records/list/toolbar/use-typed-text";

interface SearchProps {
  label: string;
  value: string;
  onSearch: (words: string) => void;
}

/** So long after the last key the list is searched, in milliseconds. */
const PAUSE = 200;

/** A field whose words narrow the list while they are typed. */
export function Search({ label, value, onSearch }: SearchProps) {
  const { typed, type } = useTypedText(value, PAUSE, onSearch);
  return (
    <TextInput
      className={classes.search}
      type="search"
      aria-label={label}
      placeholder={label}
      value={typed}
      maxLength={200}
      onChange={(event) => type(event.currentTarget.value, searchable)}
      leftSection={<IconSearch size={16} stroke={1.6} aria-hidden />}
      rightSection={
        typed !== "" && <CloseButton size="sm" aria-label="Clear the search" onClick={() => type("", searchable)} />
      }
    />
  );
}

/** The lists search for words: without any letter or digit there is nothing to ask. */
function searchable(words: string): string {
  return /[\p{L}\p{N}]/u.test(words) ? words.trim() : "";
}
