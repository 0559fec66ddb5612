import { CloseButton, TextInput } from "@mantine/core";
import { IconSearch } from "@tabler/icons-react";
import { useRef } from "react";

import classes from "@/components/records/list/record-list.module.css";
import { useTypedText } from "@/components/ui/form/use-typed-text";
import { MAX_SEARCH } from "@/lib/input/limits";
import { searchableWords } from "@/lib/records/schema/list-address";

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
  const field = useRef<HTMLInputElement>(null);
  const clear = () => {
    type("", searchableWords);
    field.current?.focus();
  };
  return (
    <TextInput
      ref={field}
      className={classes.search}
      type="search"
      aria-label={label}
      placeholder={label}
      value={typed}
      maxLength={MAX_SEARCH}
      onChange={(event) => type(event.currentTarget.value, searchableWords)}
      leftSection={<IconSearch size={16} stroke={1.6} aria-hidden />}
      rightSection={typed !== "" && <CloseButton size="sm" aria-label="Clear the search" onClick={clear} />}
    />
  );
}
