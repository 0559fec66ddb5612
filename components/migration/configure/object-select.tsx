import { NativeSelect } from "@mantine/core";

import type { SelectableObject } from "@/components/migration/configure/draft/choices";
import { formatCount } from "@/components/ui/text/format";
import { type SourceObjectName, objectName } from "@/lib/migration/objects/source-object-names";

interface ObjectSelectProps {
  objects: readonly SelectableObject[];
  value: SourceObjectName;
  onChange: (object: SourceObjectName) => void;
}

/** Chooses the object that a part of the configuration shows. */
export function ObjectSelect({ objects, value, onChange }: ObjectSelectProps) {
  return (
    <NativeSelect
      label="Object"
      value={value}
      onChange={(event) => {
        const chosen = objects.find(({ object }) => object === event.currentTarget.value);
        if (chosen) onChange(chosen.object);
      }}
      data={objects.map(({ object, item: { count } }) => ({
        value: object,
        label: `${objectName(object)}${count === null ? "" : ` (${formatCount(count, "record")})`}`,
      }))}
    />
  );
}
