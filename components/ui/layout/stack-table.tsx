import { memo, type ReactNode } from "react";

import classes from "@/components/ui/layout/stack-table.module.css";

export interface StackColumn<Row> {
  key: string;
  header: ReactNode;
  /** Aligned to the right. */
  numeric?: boolean;
  /** Controls or sentences. In a narrow table they stand below their label, not beside it. */
  wide?: boolean;
  /** Buttons that say what they do. In a narrow table they have no label. */
  controls?: boolean;
  /** The name of the row. In a narrow table it is a heading. */
  heading?: boolean;
  cell: (row: Row) => ReactNode;
}

export interface StackTableProps<Row> {
  caption: string;
  columns: readonly StackColumn<Row>[];
  rows: readonly Row[];
  rowKey: (row: Row) => string;
  /** More columns than a tablet has room for; "most": more than a small window has, too. */
  hasMany?: boolean | "most";
}

/** A table that becomes a stack of labelled values where there is too little room for columns. */
export function StackTable<Row>({ caption, columns, rows, rowKey, hasMany = false }: StackTableProps<Row>) {
  return (
    <div className={classes.room}>
      <table className={classes.table} data-many={hasMany || undefined}>
        <caption className={classes.caption}>{caption}</caption>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column.key} scope="col" data-numeric={column.numeric || undefined}>
                {column.header}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <Row key={rowKey(row)} columns={columns} row={row} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface RowProps<Item> {
  columns: readonly StackColumn<Item>[];
  row: Item;
}

/** Long tables are filtered while somebody types: with the same columns and the same row there is nothing to render. */
const Row = memo(function Row<Item>({ columns, row }: RowProps<Item>) {
  return (
    <tr>
      {columns.map((column) => (
        <Cell key={column.key} column={column} row={row} />
      ))}
    </tr>
  );
}) as <Item>(props: RowProps<Item>) => ReactNode;

function Cell<Row>({ column, row }: { column: StackColumn<Row>; row: Row }) {
  const content = column.cell(row);
  const empty = content === null || content === "" ? true : undefined;
  if (column.heading) {
    return (
      <th scope="row" className={classes.heading}>
        <div className={classes.name}>{content}</div>
      </th>
    );
  }
  return (
    <td
      data-numeric={column.numeric || undefined}
      data-wide={column.wide || undefined}
      data-controls={column.controls || undefined}
      data-empty={empty}
    >
      {!column.controls && (
        <span className={classes.label} aria-hidden="true">
          {column.header}
        </span>
      )}
      <div className={classes.value}>{content}</div>
    </td>
  );
}
