import { Loader, Select } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { z } from "zod";

import { pageOf } from "@/components/api/page-schema";
import { queryKeys } from "@/components/api/query-keys";
import { getJson } from "@/components/api/request";
import { RECORD_NAMES } from "@/components/records/record-names";
import { useReferenceName } from "@/components/records/reference-link";
import { referenceName } from "@/components/records/reference-name";
import type { ResourceName } from "@/lib/records/schema/resources";

interface ReferenceInputProps {
  label: string;
  /** The kind of what is chosen. */
  target: ResourceName | "users";
  /** The id of what is chosen, or an empty text. */
  value: string;
  error?: ReactNode;
  required?: boolean;
  onChange: (id: string) => void;
}

const match = z.looseObject({ id: z.string() });

/** So long after the last key the search begins, in milliseconds. */
const PAUSE = 200;

const MAX_FOUND = 20;

/** Chooses a record or a user by a part of its name. */
export function ReferenceInput({ label, target, value, error, required = false, onChange }: ReferenceInputProps) {
  const [typed, setTyped] = useState("");
  const { options, isError, isFetching } = useOptions(target, value, typed);
  return (
    <Select
      label={label}
      placeholder={`Search ${target === "users" ? "people" : RECORD_NAMES[target].plural.toLowerCase()}`}
      data={options}
      value={value || null}
      onChange={(id) => onChange(id ?? "")}
      searchable
      clearable
      searchValue={typed}
      onSearchChange={setTyped}
      // The API has searched already.
      filter={({ options: all }) => all}
      nothingFoundMessage={isError ? "The search failed. Type again." : "Nothing found"}
      rightSection={isFetching ? <Loader size={16} /> : undefined}
      clearButtonProps={{ "aria-label": `Clear ${label}` }}
      withAsterisk={required}
      error={error}
    />
  );
}

/** What is chosen, and what matches the typed text. */
function useOptions(target: ResourceName | "users", value: string, typed: string) {
  const [search] = useDebouncedValue(typed.trim(), PAUSE);
  const name = useReferenceName(target, value);
  const { data: found = [], isError, isFetching } = useMatches(target, search === name ? "" : search);
  const others = found.filter((option) => option.value !== value);
  const options = value === "" ? found : [{ value, label: name ?? "…" }, ...others];
  return { options, isError, isFetching };
}

function useMatches(target: ResourceName | "users", search: string) {
  const query = new URLSearchParams({ limit: String(MAX_FOUND), ...(search !== "" && { q: search }) }).toString();
  return useQuery({
    queryKey: queryKeys.records(target, `found: ${query}`),
    queryFn: async ({ signal }) => {
      // The lists search for words: without any letter or digit there is nothing to ask.
      if (search !== "" && !/[\p{L}\p{N}]/u.test(search)) return [];
      const { data } = await getJson(`/${target}?${query}`, pageOf(match), signal);
      return data.map((item) => ({ value: item.id, label: referenceName(target, item) }));
    },
    placeholderData: keepPreviousData,
  });
}
