import { isNumeric } from "@/components/records/list/table/record-row";
import classes from "@/components/records/list/table/record-table.module.css";
import type { Selection } from "@/components/records/list/use-selection";
import { RECORD_NAMES } from "@/components/records/record-names";
import { fieldLabel } from "@/components/ui/text/format";
import type { ResourceName } from "@/lib/records/schema/resources";

interface TableHeadProps {
  resource: ResourceName;
  columns: readonly string[];
  /** How many rows are loaded. */
  count: number;
  selection: Selection;
}

/** The names of the columns, and a box that selects all loaded rows. */
export function TableHead({ resource, columns, count, selection: { ids, selectAll, clear } }: TableHeadProps) {
  const areAll = count > 0 && ids.size === count;
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
              onChange={areAll ? clear : selectAll}
            />
          </label>
        </th>
        <th scope="col">{RECORD_NAMES[resource].singular}</th>
        {columns.map((name) => (
          <th key={name} scope="col" data-numeric={isNumeric(resource, name)}>
            {fieldLabel(name)}
          </th>
        ))}
      </tr>
    </thead>
  );
}
