import { NativeSelect, Tabs } from "@mantine/core";
import type { ReactNode } from "react";

import { DuplicatesPart } from "@/components/migration/configure/duplicates/duplicates-part";
import { FieldsPart } from "@/components/migration/configure/fields/fields-part";
import { FilePart } from "@/components/migration/configure/file/file-part";
import { LinksPart } from "@/components/migration/configure/links/links-part";
import { ObjectsPart } from "@/components/migration/configure/objects/objects-part";
import { OptionsPart } from "@/components/migration/configure/options/options-part";
import { OwnersPart } from "@/components/migration/configure/owners/owners-part";
import { type PartName, PARTS, usePlace } from "@/components/migration/configure/parts";
import { PreviewPart } from "@/components/migration/configure/preview/preview-part";
import { ValuesPart } from "@/components/migration/configure/values/values-part";

const CONTENTS: Record<PartName, ReactNode> = {
  objects: <ObjectsPart />,
  fields: <FieldsPart />,
  values: <ValuesPart />,
  owners: <OwnersPart />,
  links: <LinksPart />,
  duplicates: <DuplicatesPart />,
  options: <OptionsPart />,
  preview: <PreviewPart />,
  file: <FilePart />,
};

/** The parts of the step, one at a time. The page's address says which. */
export function ConfigureParts() {
  const { place, go } = usePlace();
  const open = (name: string | null) => {
    const part = PARTS.find((candidate) => candidate.name === name);
    if (part) go({ part: part.name, show: "all" });
  };
  return (
    <Tabs value={place.part} onChange={open} keepMounted={false}>
      <Tabs.List visibleFrom="sm" aria-label="Parts of the configuration">
        {PARTS.map(({ name, label }) => (
          <Tabs.Tab key={name} value={name}>
            {label}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      <NativeSelect
        hiddenFrom="sm"
        label="Part of the configuration"
        value={place.part}
        onChange={(event) => open(event.currentTarget.value)}
        data={PARTS.map(({ name, label }) => ({ value: name, label }))}
      />
      {PARTS.map(({ name }) => (
        <Tabs.Panel key={name} value={name} pt="lg">
          {CONTENTS[name]}
        </Tabs.Panel>
      ))}
    </Tabs>
  );
}
