import { Loader, Select } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useRef, useState } from "react";

import { queryKeys } from "@/components/api/query-keys";
import { getJson } from "@/components/api/request";
import type { Page } from "@/components/api/use-list";
import type { SomeFields } from "@/components/records/record";
import { RECORD_NAMES } from "@/components/records/record-names";
import { useReferenceName } from "@/components/records/reference-link";
import { referenceName } from "@/components/records/reference-name";
import { takeFocus } from "@/components/ui/overlay/loading";
import { searchableWords } from "@/lib/records/schema/list-address";
import type { ResourceName } from "@/lib/records/schema/resources";

export interface ReferenceInputProps {
  label: string;
  /** The kind of what is chosen. */
  target: ResourceName | "users";
  /** The id of what is chosen, or an empty text. */
  value: string;
  error?: ReactNode;
  required?: boolean;
  onChange: (id: string) => void;
}

/** So long after the last key the search begins, in milliseconds. */
const PAUSE = 200;

const MAX_FOUND = 20;

/** Chooses a record or a user by a part of its name. `begun` is what was typed before this was there. */
export function ReferenceSelect(props: ReferenceInputProps & { begun: string }) {
  const { label, target, value, error, required = false, begun, onChange } = props;
  const [typed, setTyped] = useState(begun);
  const isEmptied = useRef(begun === "");
  const search = (text: string) => {
    // The select empties its text when it is mounted without a choice.
    if (isEmptied.current || text !== "") setTyped(text);
    isEmptied.current = true;
  };
  const { options, isError, isSearching } = useOptions(target, value, typed);
  return (
    <Select
      // It opens by that.
      ref={takeFocus}
      label={label}
      placeholder={`Search ${target === "users" ? "people" : RECORD_NAMES[target].plural.toLowerCase()}`}
      data={options}
      value={value || null}
      onChange={(id) => onChange(id ?? "")}
      searchable
      clearable
      searchValue={typed}
      onSearchChange={search}
      // The API has searched already.
      filter={({ options: all }) => all}
      nothingFoundMessage={isSearching ? "Searching …" : isError ? "The search failed. Type again." : "Nothing found"}
      rightSection={isSearching ? <Loader size={16} /> : undefined}
      clearButtonProps={{ "aria-label": `Clear ${label}` }}
      required={required}
      error={error}
    />
  );
}

/** What is chosen, and what matches the typed text: nothing that matched an earlier one, which Enter would choose. */
function useOptions(target: ResourceName | "users", value: string, typed: string) {
  const [search] = useDebouncedValue(typed.trim(), PAUSE);
  const name = useReferenceName(target, value);
  const { data: found = [], isError, isFetching } = useMatches(target, search === name ? "" : search);
  const isSearching = isFetching || search !== typed.trim();
  const matches = isSearching ? [] : found.filter((option) => option.value !== value);
  const options = value === "" ? matches : [{ value, label: name ?? "…" }, ...matches];
  return { options, isError, isSearching };
}

function useMatches(target: ResourceName | "users", search: string) {
  const words = searchableWords(search);
  const query = new URLSearchParams({ limit: String(MAX_FOUND), ...(words !== "" && { q: words }) }).toString();
  return useQuery({
    queryKey: queryKeys.records(target, `found: ${search}`),
    queryFn: async ({ signal }) => {
      // The lists search for words: without any letter or digit there is nothing to ask.
      if (search !== "" && words === "") return [];
      const { data } = await getJson<Page<SomeFields & { id: string }>>(`/${target}?${query}`, signal);
      return data.map((item) => ({ value: item.id, label: referenceName(target, item) }));
    },
  });
}
