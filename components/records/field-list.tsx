import type { ReactNode } from "react";

import { fieldLabel } from "@/components/records/field-label";
import classes from "@/components/records/field-list.module.css";
import { fieldOf, fieldValue, isEmpty } from "@/components/records/field-value";
import { type AnyRecord, textOf } from "@/components/records/record";
import { ReferenceLink } from "@/components/records/reference-link";
import type { ResourceName } from "@/lib/records/resources";

interface FieldListProps {
  resource: ResourceName;
  item: AnyRecord;
  names: readonly string[];
}

/** Fields with their labels, in columns where there is room. */
export function FieldList({ resource, item, names }: FieldListProps) {
  return (
    <dl className={classes.list}>
      {names.map((name) => (
        <Entry key={name} label={fieldLabel(name)} isLong={textOf(item, name).length > 80}>
          <Value resource={resource} name={name} item={item} />
        </Entry>
      ))}
    </dl>
  );
}

/** One label with its value. */
export function Entry({ label, isLong, children }: { label: string; isLong?: boolean; children: ReactNode }) {
  return (
    <div className={classes.entry} data-long={isLong || undefined}>
      <dt>{label}</dt>
      <dd dir="auto">{children}</dd>
    </div>
  );
}

function Value({ resource, name, item }: { resource: ResourceName; name: string; item: AnyRecord }) {
  const value = item[name];
  if (isEmpty(value)) return <span className={classes.empty}>—</span>;
  const target = fieldOf(resource, name)?.references;
  if (target && target !== "users") return <ReferenceLink resource={target} id={String(value)} />;
  return fieldValue(resource, name, item);
}
