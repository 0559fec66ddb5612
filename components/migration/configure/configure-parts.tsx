import { NativeSelect, Tabs } from "@mantine/core";
import type { ComponentType, ReactNode } from "react";

import { FieldsPart } from "@/components/migration/configure/fields/fields-part";
import { ObjectsPart } from "@/components/migration/configure/objects/objects-part";
import { type PartName, PARTS, usePlace } from "@/components/migration/configure/parts";
import { loadedLater } from "@/components/ui/feedback/loaded-later";
import { RowsSkeleton } from "@/components/ui/feedback/rows-skeleton";

/** The first two parts come with the page, the others when they are opened. */
function later(load: () => Promise<ComponentType>): ComponentType {
  return loadedLater(load, <RowsSkeleton label="Loading" />);
}

const ValuesPart = later(async () => (await import("@/components/migration/configure/values/values-part")).ValuesPart);
const OwnersPart = later(async () => (await import("@/components/migration/configure/owners/owners-part")).OwnersPart);
const LinksPart = later(async () => (await import("@/components/migration/configure/links/links-part")).LinksPart);
const DuplicatesPart = later(
  async () => (await import("@/components/migration/configure/duplicates/duplicates-part")).DuplicatesPart,
);
const OptionsPart = later(
  async () => (await import("@/components/migration/configure/options/options-part")).OptionsPart,
);
const PreviewPart = later(
  async () => (await import("@/components/migration/configure/preview/preview-part")).PreviewPart,
);
const FilePart = later(async () => (await import("@/components/migration/configure/file/file-part")).FilePart);

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
