import { CheckIcon, Group, Loader, Select, Text } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useRef, useState } from "react";

import { queryKeys } from "@/components/api/query-keys";
import { getJson } from "@/components/api/request";
import type { Page } from "@/components/api/use-list";
import { fieldOf } from "@/components/records/fields/field-of";
import { type SomeFields, textOf } from "@/components/records/record";
import { RECORD_NAMES } from "@/components/records/record-names";
import { useReferenceName } from "@/components/records/reference-link";
import { referenceDetail, referenceName } from "@/components/records/reference-name";
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
  /** `accountId` is the account of what is chosen; an empty text where it has none. */
  onChange: (id: string, accountId: string) => void;
}

/** So long after the last key the search begins, in milliseconds. */
const PAUSE = 200;

const MAX_FOUND = 20;

/** Chooses a record or a user by a part of its name. `begun` is what was typed before this was there. */
export function ReferenceSelect(props: ReferenceInputProps & { begun: string }) {
  const { label, target, value, error, required = false, begun, onChange } = props;
  const [typed, setTyped] = useState(begun);
  const isEmptied = useRef(begun === "");
  // The select writes the name of what is chosen into its text: that is no search.
  const [isTyped, setIsTyped] = useState(begun !== "");
  const search = (text: string) => {
    // The select empties its text when it is mounted without a choice.
    if (isEmptied.current || text !== "") setTyped(text);
    isEmptied.current = true;
  };
  const { options, found, isError, isSearching } = useOptions(target, value, isTyped ? typed.trim() : "");
  return (
    <Select
      // It opens by that.
      ref={takeFocus}
      label={label}
      placeholder={`Search ${target === "users" ? "people" : RECORD_NAMES[target].plural.toLowerCase()}`}
      data={options}
      renderOption={({ option, checked = false }) => (
        <Option name={option.label} detail={found.get(option.value)?.detail} isChosen={checked} />
      )}
      value={value || null}
      onChange={(id) => {
        setIsTyped(false);
        onChange(id ?? "", found.get(id ?? "")?.accountId ?? "");
      }}
      onInput={() => setIsTyped(true)}
      onBlur={() => setIsTyped(false)}
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

function Option({ name, detail, isChosen }: { name: string; detail: string | undefined; isChosen: boolean }) {
  return (
    <Group gap="xs" wrap="nowrap">
      {isChosen && <CheckIcon size={10} />}
      <div>
        {name}
        {detail && (
          <Text size="xs" c="dimmed">
            {detail}
          </Text>
        )}
      </div>
    </Group>
  );
}

/** Stands below the matches where there are more of them. It cannot be chosen. */
const MORE = { value: "more", label: "Type more to narrow the list", disabled: true };

/** What is chosen, and what matches what is sought: nothing that matched an earlier one, which Enter would choose. */
function useOptions(target: ResourceName | "users", value: string, sought: string) {
  const [search] = useDebouncedValue(sought, PAUSE);
  const name = useReferenceName(target, value);
  const { data, isError, isFetching } = useMatches(target, search);
  const isSearching = isFetching || search !== sought;
  const { matches, hasMore } = isSearching || !data ? NONE : data;
  const others = matches.filter(({ id }) => id !== value).map((match) => ({ value: match.id, label: match.name }));
  const chosen = value === "" ? [] : [{ value, label: name ?? "…" }];
  const found = new Map(matches.map((match) => [match.id, match]));
  return { options: [...chosen, ...others, ...(hasMore ? [MORE] : [])], found, isError, isSearching };
}

interface Matches {
  matches: readonly { id: string; name: string; detail: string; accountId: string }[];
  /** Whether there are more than these. */
  hasMore: boolean;
}

const NONE: Matches = { matches: [], hasMore: false };

function useMatches(target: ResourceName | "users", search: string) {
  const words = searchableWords(search);
  const hasAccount = target !== "users" && fieldOf(target, "account_id") !== undefined;
  const query = new URLSearchParams({
    limit: String(MAX_FOUND),
    ...(hasAccount && { expand: "account" }),
    ...(words !== "" && { q: words }),
  }).toString();
  return useQuery({
    queryKey: queryKeys.records(target, `found: ${search}`),
    queryFn: async ({ signal }): Promise<Matches> => {
      // The lists search for words: without any letter or digit there is nothing to ask.
      if (search !== "" && words === "") return NONE;
      const page = await getJson<Page<SomeFields & { id: string }>>(`/${target}?${query}`, signal);
      const matches = page.data.map((item) => ({
        id: item.id,
        name: referenceName(target, item),
        detail: referenceDetail(target, item),
        accountId: item.account ? textOf(item, "account_id") : "",
      }));
      return { matches, hasMore: page.has_more };
    },
  });
}
