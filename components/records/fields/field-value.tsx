import type { ReactNode } from "react";

import { inWords, formatDay, formatMoney, formatNumber } from "@/components/ui/text/format";
import classes from "@/components/records/fields/field-value.module.css";
import { isPhone } from "@/components/records/fields/contact-address";
import { fieldOf } from "@/components/records/fields/field-of";
import { type SomeFields, textOf } from "@/components/records/record";
import { Moment } from "@/components/ui/text/moment";
import type { FieldKind } from "@/lib/records/schema/field";
import type { ResourceName } from "@/lib/records/schema/resources";

type Formatter = (value: unknown, item: SomeFields) => ReactNode;

const asText: Formatter = (value) => <bdi>{String(value)}</bdi>;
const asId: Formatter = (value) => String(value);

const FORMATTERS: Record<FieldKind, Formatter> = {
  id: asId,
  text: asText,
  reference: asId,
  enum: (value) => inWords(String(value)),
  money: (value, item) => formatMoney(Number(value), textOf(item, "currency") || null),
  date: (value) => <time dateTime={String(value)}>{formatDay(String(value))}</time>,
  timestamp: (value) => <Moment iso={String(value)} />,
  integer: (value) => formatNumber(Number(value)),
  boolean: (value) => (value === true ? "Yes" : "No"),
  object: (value) => JSON.stringify(value),
};

export function isEmpty(value: unknown): boolean {
  return value === null || value === undefined || value === "";
}

/** One field of a record for display; null when it is empty. */
export function fieldValue(resource: ResourceName, name: string, item: SomeFields): ReactNode {
  const value = item[name];
  if (isEmpty(value)) return null;
  if (isPhone(name, String(value))) return <span className={classes.phone}>{String(value)}</span>;
  const kind = fieldOf(resource, name)?.kind ?? "text";
  return FORMATTERS[kind](value, item);
}
