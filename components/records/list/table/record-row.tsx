import NextLink from "next/link";
import { memo, type ReactNode } from "react";

import { fieldOf } from "@/components/records/fields/field-of";
import { fieldValue } from "@/components/records/fields/field-value";
import classes from "@/components/records/list/table/record-table.module.css";
import type { ListRow } from "@/components/records/list/view/list-row";
import { fieldLabel } from "@/components/ui/text/format";
import type { ResourceName } from "@/lib/records/schema/resources";

interface RecordRowProps {
  resource: ResourceName;
  row: ListRow;
  index: number;
  columns: readonly string[];
  isSelected: boolean;
  /** Its controls can be reached by Tab. */
  isActive: boolean;
  /** Where it lies, in pixels, if it is not among the rows around it. */
  awayAt: number | undefined;
  onSelect: (index: number, extends_: boolean) => void;
}

/** One record of a list: a row of the table, or a card on a narrow screen. */
export const RecordRow = memo(function RecordRow(props: RecordRowProps) {
  const { resource, row, index, columns, isSelected, isActive, awayAt, onSelect } = props;
  const tabIndex = isActive ? 0 : -1;
  return (
    <tr
      className={classes.row}
      data-index={index}
      data-selected={isSelected || undefined}
      aria-rowindex={index + 2}
      {...(awayAt !== undefined && { "data-away": true, style: { top: awayAt } })}
    >
      <td className={classes.check}>
        <label className={classes.target}>
          <input
            type="checkbox"
            aria-label={`Select ${row.name}`}
            checked={isSelected}
            tabIndex={tabIndex}
            // A change does not tell whether Shift was pressed.
            onClick={(event) => onSelect(index, event.shiftKey)}
            readOnly
          />
        </label>
      </td>
      <th scope="row" className={classes.name}>
        <NextLink
          href={`/${resource}/${row.id}`}
          prefetch={false}
          tabIndex={tabIndex}
          className={classes.link}
          dir="auto"
        >
          {row.name}
        </NextLink>
      </th>
      {columns.map((name) => (
        <td key={name} data-numeric={isNumeric(resource, name)}>
          <span className={classes.label} aria-hidden="true">
            {fieldLabel(name)}
          </span>
          <span className={classes.value}>{cellOf(resource, name, row, tabIndex)}</span>
        </td>
      ))}
    </tr>
  );
});

/** Aligned to the right, so that digits stand below each other. */
export function isNumeric(resource: ResourceName, name: string): true | undefined {
  const kind = fieldOf(resource, name)?.kind;
  return kind === "money" || kind === "integer" || undefined;
}

function cellOf(resource: ResourceName, name: string, { fields, names }: ListRow, tabIndex: number): ReactNode {
  const target = fieldOf(resource, name)?.references;
  const shown = <bdi>{names[name]}</bdi>;
  if (!target) return fieldValue(resource, name, fields) ?? (names[name] === undefined ? null : shown);
  if (target === "users" || names[name] === undefined) return shown;
  return (
    <NextLink
      href={`/${target}/${String(fields[name])}`}
      prefetch={false}
      tabIndex={tabIndex}
      className={classes.reference}
    >
      {shown}
    </NextLink>
  );
}
