import { Button, Group, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";

import { queryKeys } from "@/components/api/query-keys";
import { getJson } from "@/components/api/request";
import { type AnyRecord, textOf, titleOf } from "@/components/records/record";
import { referenceDetail } from "@/components/records/reference-name";
import { distinctById, type Page } from "@/components/api/use-list";
import { MAX_LIMIT } from "@/lib/input/limits";
import { searchableWords } from "@/lib/records/schema/list-address";

interface SameRecordsProps {
  resource: "accounts" | "contacts";
  lead: AnyRecord;
  /** Uses one of them, and moves the focus: these buttons go. */
  onUse: (id: string) => void;
}

const MAX_SHOWN = 3;

/** Records that may be the lead's already: accounts with its company's name, contacts with its e-mail address. */
export function SameRecords({ resource, lead, onUse }: SameRecordsProps) {
  const { data: found = [] } = useSameRecords(resource, lead);
  if (found.length === 0) return null;
  const [what, same] = resource === "accounts" ? ["account", "name"] : ["contact", "e-mail address"];
  return (
    <Group gap="xs">
      <Text size="sm">
        {found.length === 1 ? `There is ${an(what)} ${what}` : `There are ${what}s`} with this {same} already:
      </Text>
      {found.map((item) => (
        <Button
          key={item.id}
          variant="light"
          size="compact-sm"
          h="auto"
          py={3}
          lh="xs"
          // What tells it from the others stands at its end.
          styles={{ label: { whiteSpace: "normal", overflowWrap: "anywhere" } }}
          onClick={() => onUse(item.id)}
        >
          Use {[titleOf(resource, item), referenceDetail(resource, item)].filter(Boolean).join(" · ")}
        </Button>
      ))}
    </Group>
  );
}

function an(noun: string | undefined): string {
  return noun === "account" ? "an" : "a";
}

function useSameRecords(resource: SameRecordsProps["resource"], lead: AnyRecord) {
  const filters = soughtOf(resource, lead).map((sought) => new URLSearchParams(sought).toString());
  return useQuery({
    queryKey: queryKeys.records(resource, `same as lead: ${filters.join(" ")}`),
    queryFn: async ({ signal }) => {
      const pages = filters.map((filter) => getJson<Page<AnyRecord>>(`/${resource}?${filter}`, signal));
      return distinctById((await Promise.all(pages)).flatMap(({ data }) => data));
    },
    enabled: filters.length > 0,
    select: (found) => sameOf(resource, lead, found).slice(0, MAX_SHOWN),
  });
}

/** The field by which a record may be the lead's, and the lead's own value of it. */
function comparedField(resource: SameRecordsProps["resource"], lead: AnyRecord): [name: string, value: string] {
  return resource === "accounts" ? ["name", textOf(lead, "company")] : ["email", textOf(lead, "email")];
}

/** The fields by which they are compared and named, and what tells those of the same name apart. */
const SHOWN = {
  accounts: { fields: "name,billing_city" },
  contacts: { fields: "first_name,last_name,email", expand: "account" },
};

/**
 * What the API finds them by, in one list or more: for a very long company its beginning, which is all that a search
 * takes; an e-mail address also as it is and in small letters, which a list of longer ones could leave out.
 */
export function soughtOf(resource: SameRecordsProps["resource"], lead: AnyRecord): Record<string, string>[] {
  const [, value] = comparedField(resource, lead);
  const q = searchableWords(value);
  if (q === "") return [];
  const found = { q, ...SHOWN[resource], limit: String(MAX_LIMIT) };
  if (resource !== "contacts") return [found];
  const spellings = [...new Set([value, value.toLowerCase()])];
  return [...spellings.map((email) => ({ email, ...SHOWN.contacts, limit: String(MAX_SHOWN) })), found];
}

/** The search also finds longer values. As it does, this ignores case. */
export function sameOf(
  resource: SameRecordsProps["resource"],
  lead: AnyRecord,
  found: readonly AnyRecord[],
): AnyRecord[] {
  const [name, value] = comparedField(resource, lead);
  return found.filter((item) => textOf(item, name).toLowerCase() === value.toLowerCase());
}
