import { type CSSProperties, type ReactNode, type RefObject, useEffect } from "react";

import { columnWidth } from "@/components/records/list/table/column-width";
import { RecordRow } from "@/components/records/list/table/record-row";
import classes from "@/components/records/list/table/record-table.module.css";
import { TableHead } from "@/components/records/list/table/table-head";
import { useNarrow } from "@/components/records/list/table/use-narrow";
import { useRowKeys } from "@/components/records/list/table/use-row-keys";
import { type RowWindow, useWindow } from "@/components/records/list/table/use-window";
import type { Selection } from "@/components/records/list/use-selection";
import type { Sorting } from "@/components/records/list/view/sortings";
import type { ListRow } from "@/components/records/list/view/list-row";
import { RECORD_NAMES } from "@/components/records/record-names";
import type { ResourceName } from "@/lib/records/schema/resources";

interface RecordTableProps {
  resource: ResourceName;
  columns: readonly string[];
  rows: readonly ListRow[];
  /** How many records there are in all, once they are counted. */
  total: number | undefined;
  selection: Selection;
  sorting: Sorting;
  onSort: (sorting: Sorting) => void;
  scroller: RefObject<HTMLDivElement | null>;
  /** The rows belong to the view before this one. */
  isBusy: boolean;
  /** Asks for more rows; it is called when the last ones come near. */
  onNearEnd: () => void;
  /** What stands below the last row. */
  children: ReactNode;
}

/** Heights in pixels. A card has a line for the name, and one for each column. */
const ROW_HEIGHT = 44;
const CARD_HEIGHT = 45;
const LINE_HEIGHT = 24;

/** Widths in rem. */
const BOX_WIDTH = 2.75;
const NAME_WIDTH = 14;

/** How many rows are left below the rendered ones when the next page is asked for. */
const NEAR_END = 150;

/** The loaded rows of a list, of which only those in sight are rendered. */
export function RecordTable(props: RecordTableProps) {
  const { resource, columns, rows, total, selection, sorting, onSort, scroller, isBusy, onNearEnd, children } = props;
  const cardHeight = CARD_HEIGHT + columns.length * LINE_HEIGHT;
  const isNarrow = useNarrow();
  const rowHeight = isNarrow ? cardHeight : ROW_HEIGHT;
  const window = useWindow(scroller, rows.length, rowHeight);
  const { select, extend } = selection;
  const toggle = (index: number) => select(index, false);
  const active = useRowKeys({ scroller, count: rows.length, rowHeight, onToggle: toggle, onExtend: extend });
  const isNearEnd = !window.isPrinted && window.end > rows.length - NEAR_END;
  useEffect(() => {
    if (isNearEnd) onNearEnd();
  }, [isNearEnd, onNearEnd]);
  return (
    <div ref={scroller} className={classes.scroller} aria-busy={isBusy}>
      <table
        className={classes.table}
        style={measures(resource, columns, cardHeight)}
        aria-rowcount={total === undefined ? -1 : total + 1}
        aria-colcount={columns.length + 2}
      >
        <caption>{RECORD_NAMES[resource].plural}</caption>
        <TableHead
          resource={resource}
          columns={columns}
          count={rows.length}
          selection={selection}
          sorting={sorting}
          onSort={isNarrow ? undefined : onSort}
        />
        <tbody style={{ height: rows.length * rowHeight, paddingTop: window.first * rowHeight }}>
          {rendered(window, active, rows).map(({ row, index, isAway }) => (
            <RecordRow
              key={row.id}
              resource={resource}
              row={row}
              index={index}
              columns={columns}
              isSelected={selection.ids.has(row.id)}
              isActive={index === active}
              awayAt={isAway ? index * rowHeight : undefined}
              onSelect={select}
            />
          ))}
        </tbody>
      </table>
      <div className={classes.end}>{children}</div>
    </div>
  );
}

/** The widths of the columns and the heights of a row and a card, for the stylesheet. */
function measures(resource: ResourceName, columns: readonly string[], cardHeight: number): CSSProperties {
  const widths = columns.map((name) => columnWidth(resource, name));
  const sum = widths.reduce((before, width) => before + width, BOX_WIDTH + NAME_WIDTH);
  const tracks = [NAME_WIDTH, ...widths].map((width) => `minmax(${width}rem, ${width}fr)`);
  return {
    "--list-columns": `${BOX_WIDTH}rem ${tracks.join(" ")}`,
    "--list-width": `${sum}rem`,
    "--row-height": `${ROW_HEIGHT}px`,
    "--card-height": `${cardHeight}px`,
  } as CSSProperties;
}

interface RenderedRow {
  row: ListRow;
  index: number;
  /** The row is rendered for its focus only, and lies elsewhere. */
  isAway: boolean;
}

/** The rows in the window and the active one, in their order: a row that is moved in the document loses the focus. */
function rendered({ first, end }: RowWindow, active: number, rows: readonly ListRow[]): RenderedRow[] {
  const near = rows.slice(first, end).map((row, offset) => ({ row, index: first + offset, isAway: false }));
  const row = rows[active];
  if (!row || (active >= first && active < end)) return near;
  const away = { row, index: active, isAway: true };
  return active < first ? [away, ...near] : [...near, away];
}
