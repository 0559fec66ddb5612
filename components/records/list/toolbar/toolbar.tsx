import { NativeSelect, Text } from "@mantine/core";
import { useRef } from "react";

import classes from "@/components/records/list/record-list.module.css";
import { ColumnChoice } from "@/components/records/list/toolbar/column-choice";
import { ExportMenu } from "@/components/records/list/toolbar/export-menu";
import { FilterPills } from "@/components/records/list/toolbar/filter-pills";
import { Filters } from "@/components/records/list/toolbar/filters";
import { Search } from "@/components/records/list/toolbar/search";
import { sortingOf, sortings } from "@/components/records/list/view/sortings";
import { isNarrowed, type ListView } from "@/components/records/list/view/list-view";
import { SavedViewsMenu } from "@/components/records/list/saved-views/saved-views-menu";
import { formatRecords, RECORD_NAMES } from "@/components/records/record-names";
import { Announcement } from "@/components/ui/feedback/announcement";
import { isSearchable } from "@/lib/records/schema/list-address";
import type { ResourceName } from "@/lib/records/schema/resources";

interface ToolbarProps {
  resource: ResourceName;
  view: ListView;
  /** How many records the view has, once they are counted. */
  total: number | undefined;
  onChange: (changes: Partial<ListView>, how?: { replaces?: boolean }) => void;
}

/** Chooses what a list shows: words, filters, order, columns. */
export function Toolbar({ resource, view, total, onChange }: ToolbarProps) {
  const filtersButton = useRef<HTMLButtonElement>(null);
  const count = total === undefined ? "" : formatRecords(resource, total);
  return (
    <div>
      <div className={classes.toolbar}>
        {isSearchable(resource) && (
          <Search
            label={`Search ${RECORD_NAMES[resource].plural.toLowerCase()}`}
            value={view.q}
            onSearch={(q) => onChange({ q }, { replaces: true })}
          />
        )}
        <Filters
          button={filtersButton}
          resource={resource}
          filters={view.filters}
          count={count}
          onChange={(filters) => onChange({ filters })}
        />
        <NativeSelect
          aria-label="Order"
          className={classes.order}
          value={`${view.sort} ${view.order}`}
          onChange={(event) => onChange(sortingOf(event.currentTarget.value))}
          data={sortings(resource)}
        />
        <ColumnChoice resource={resource} columns={view.columns} onChange={(columns) => onChange({ columns })} />
        <SavedViewsMenu resource={resource} view={view} />
        <ExportMenu resource={resource} view={view} />
        <Text size="sm" c="dimmed" className={classes.count}>
          {count}
        </Text>
      </div>
      {view.q && <Text size="sm" className="on-paper">{`Found by “${view.q}”.`}</Text>}
      <FilterPills
        resource={resource}
        filters={view.filters}
        onChange={(filters) => onChange({ filters })}
        onLast={() => filtersButton.current?.focus()}
      />
      <Announcement>{isNarrowed(view) && count}</Announcement>
    </div>
  );
}
