import { IconArrowDown, IconArrowUp } from "@tabler/icons-react";
import type { ReactNode } from "react";

import { isNumeric } from "@/components/records/list/table/record-row";
import classes from "@/components/records/list/table/record-table.module.css";
import type { Selection } from "@/components/records/list/use-selection";
import { nextSorting, sortOfColumn, type Sorting } from "@/components/records/list/view/sortings";
import { RECORD_NAMES } from "@/components/records/record-names";
import { fieldLabel } from "@/components/ui/text/format";
import type { ResourceName } from "@/lib/records/schema/resources";

interface TableHeadProps {
  resource: ResourceName;
  columns: readonly string[];
  /** How many rows are loaded. */
  count: number;
  selection: Selection;
  sorting: Sorting;
  /** Undefined where the titles are not seen: rows are cards. */
  onSort: ((sorting: Sorting) => void) | undefined;
}

/** The titles of the columns, by some of which the list can be sorted, and a box that selects all loaded rows. */
export function TableHead({ resource, columns, count, selection, sorting, onSort }: TableHeadProps) {
  const { ids, selectAll, clear } = selection;
  const areAll = count > 0 && ids.size === count;
  const title = (column: string | null, label: string) => (
    <Title
      key={column}
      resource={resource}
      sort={sortOfColumn(resource, column)}
      sorting={sorting}
      onSort={onSort}
      isNumeric={column === null ? undefined : isNumeric(resource, column)}
    >
      {label}
    </Title>
  );
  return (
    <thead>
      <tr className={classes.head} aria-rowindex={1}>
        <th scope="col" className={classes.check}>
          <label className={classes.target}>
            <input
              type="checkbox"
              aria-label="Select all loaded rows"
              ref={(box) => {
                if (box) box.indeterminate = ids.size > 0 && !areAll;
              }}
              checked={areAll}
              onChange={areAll ? clear : () => selectAll()}
            />
          </label>
        </th>
        {title(null, RECORD_NAMES[resource].singular)}
        {columns.map((name) => title(name, fieldLabel(name)))}
      </tr>
    </thead>
  );
}

interface TitleProps extends Pick<TableHeadProps, "resource" | "sorting" | "onSort"> {
  /** What the list is sorted by when it is chosen, if that is possible. */
  sort: string | undefined;
  isNumeric: true | undefined;
  children: ReactNode;
}

function Title({ resource, sort, isNumeric: numeric, sorting, onSort, children }: TitleProps) {
  if (sort === undefined || onSort === undefined)
    return (
      <th scope="col" data-numeric={numeric} aria-sort={directionOf(sorting, sort)}>
        {children}
      </th>
    );
  const Arrow = sorting.order === "asc" ? IconArrowUp : IconArrowDown;
  return (
    <th scope="col" data-numeric={numeric} aria-sort={directionOf(sorting, sort)}>
      <button type="button" className={classes.sort} onClick={() => onSort(nextSorting(resource, sorting, sort))}>
        {children}
        {sorting.sort === sort && <Arrow size={14} stroke={2} aria-hidden />}
      </button>
    </th>
  );
}

function directionOf(sorting: Sorting, sort: string | undefined): "ascending" | "descending" | "none" | undefined {
  if (sorting.sort === sort) return sorting.order === "asc" ? "ascending" : "descending";
  return sort === undefined ? undefined : "none";
}
