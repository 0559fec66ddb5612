import { useAddressFilter } from "@/components/ui/form/use-address-filter";
import { isSourceObject, type SourceObjectName } from "@/lib/migration/objects/source-object-names";

/** The parts of the step, in the order in which most people need them. */
export const PARTS = [
  { name: "objects", label: "Objects" },
  { name: "fields", label: "Fields" },
  { name: "values", label: "Values" },
  { name: "owners", label: "Owners" },
  { name: "links", label: "Links" },
  { name: "duplicates", label: "Duplicates" },
  { name: "options", label: "Options" },
  { name: "preview", label: "Preview" },
  { name: "file", label: "File" },
] as const;

export type PartName = (typeof PARTS)[number]["name"];

/** The fields that a mapping table shows. */
export const FIELD_FILTERS = [
  { name: "all", label: "All fields" },
  { name: "changed", label: "Changed by you" },
  { name: "attention", label: "Do not fit" },
  { name: "custom", label: "Kept as a custom field" },
  { name: "out", label: "Left out" },
  { name: "required", label: "Required here" },
] as const;

export type FieldFilter = (typeof FIELD_FILTERS)[number]["name"];

interface Place {
  part: PartName;
  object: SourceObjectName | null;
  show: FieldFilter;
}

const NONE: Place = { part: "objects", object: null, show: "all" };

function read(search: URLSearchParams): Place {
  const object = search.get("object") ?? "";
  return {
    part: PARTS.find(({ name }) => name === search.get("part"))?.name ?? NONE.part,
    object: isSourceObject(object) ? object : null,
    show: FIELD_FILTERS.find(({ name }) => name === search.get("show"))?.name ?? NONE.show,
  };
}

function write({ part, object, show }: Place): string {
  return new URLSearchParams({
    ...(part !== NONE.part && { part }),
    ...(object !== null && { object }),
    ...(show !== NONE.show && { show }),
  }).toString();
}

/** Where in the step the reader is, in the page's address. */
export function usePlace() {
  const { filter, change } = useAddressFilter<Place>({ none: NONE, read, write });
  return { place: filter, go: change };
}
