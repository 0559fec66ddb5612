"use client";

import { TextInput } from "@mantine/core";
import { useId, useState } from "react";

import { useReferenceName } from "@/components/records/reference-link";
import { RECORD_NAMES } from "@/components/records/record-names";
import type { ReferenceInputProps, ReferenceSelect } from "@/components/records/form/reference-select";
import { sayNotLoaded } from "@/components/ui/overlay/loading";

const load = async () => (await import("@/components/records/form/reference-select")).ReferenceSelect;

/** Chooses a record or a user by a part of its name. The search is loaded when somebody reaches for the field. */
export function ReferenceInput(props: ReferenceInputProps) {
  const { label, target, value, error, required = false } = props;
  const [Search, setSearch] = useState<typeof ReferenceSelect | null>(null);
  const [begun, setBegun] = useState("");
  const name = useReferenceName(target, value);
  const list = useId();
  if (Search) return <Search {...props} begun={begun} />;
  // It takes the place of this field at once, unless the reader has gone on to another one meanwhile.
  const searchIn = async (field: HTMLInputElement) => {
    const loaded = await load();
    if (document.activeElement === field) setSearch(() => loaded);
  };
  return (
    <TextInput
      label={label}
      placeholder={`Search ${target === "users" ? "people" : RECORD_NAMES[target].plural.toLowerCase()}`}
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- it is an input already
      role="combobox"
      aria-haspopup="listbox"
      aria-controls={list}
      aria-expanded={false}
      autoComplete="off"
      value={begun || (value === "" ? "" : (name ?? "…"))}
      onChange={(event) => setBegun(event.currentTarget.value)}
      onFocus={(event) => void searchIn(event.currentTarget).catch(sayNotLoaded)}
      // Without the search, a text names no record.
      onBlur={() => setBegun("")}
      onPointerEnter={() => void load().catch(() => undefined)}
      required={required}
      error={error}
    />
  );
}
