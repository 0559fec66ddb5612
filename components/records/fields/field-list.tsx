import type { ReactNode } from "react";

import { OWNER_NAME } from "@/components/records/fields/technical-fields";
import { contactAddress } from "@/components/records/fields/contact-address";
import { ContactLink } from "@/components/records/fields/contact-link";
import { fieldLabel } from "@/components/ui/text/format";
import classes from "@/components/records/fields/field-list.module.css";
import { fieldOf } from "@/components/records/fields/field-of";
import { fieldValue, isEmpty } from "@/components/records/fields/field-value";
import { type AnyRecord, textOf } from "@/components/records/record";
import { ReferenceLink, ReferenceName } from "@/components/records/reference-link";
import type { ResourceName } from "@/lib/records/schema/resources";

interface FieldListProps {
  resource: ResourceName;
  item: AnyRecord;
  names: readonly string[];
  /** The text is small. */
  isSmall?: boolean;
}

/** Fields with their labels, in columns where there is room. */
export function FieldList({ resource, item, names, isSmall = false }: FieldListProps) {
  return (
    <dl className={classes.list} data-small={isSmall || undefined}>
      {names.map((name) => (
        <Entry key={name} label={fieldLabel(name)} isLong={textOf(item, name).length > 80}>
          <Value resource={resource} name={name} item={item} />
        </Entry>
      ))}
    </dl>
  );
}

interface EntryProps {
  label: string;
  /** The field's name in the API, if it differs from the label; a tooltip. */
  name?: string;
  /** Takes the whole width, in the direction of its own script. */
  isLong?: boolean;
  children: ReactNode;
}

/** One label with its value. */
export function Entry({ label, name, isLong, children }: EntryProps) {
  return (
    <div className={classes.entry} data-long={isLong || undefined}>
      <dt title={name}>{label}</dt>
      {isLong ? (
        <dd dir="auto">{children}</dd>
      ) : (
        <dd>
          <bdi>{children}</bdi>
        </dd>
      )}
    </div>
  );
}

function Value({ resource, name, item }: { resource: ResourceName; name: string; item: AnyRecord }) {
  const value = item[name];
  const ownerName = item.custom_fields[OWNER_NAME];
  if (name === "owner_id" && isEmpty(value) && typeof ownerName === "string") return `${ownerName} (in Salesforce)`;
  if (isEmpty(value)) return <span className={classes.empty}>—</span>;
  const field = fieldOf(resource, name);
  const target = field?.references;
  if (target === "users") return <ReferenceName target="users" id={String(value)} />;
  if (target) return <ReferenceLink resource={target} id={String(value)} />;
  const address = contactAddress(name, field, value);
  const shown = fieldValue(resource, name, item);
  return address === undefined ? shown : <ContactLink address={address}>{shown}</ContactLink>;
}
