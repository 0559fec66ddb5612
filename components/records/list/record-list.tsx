"use client";

import { Button, Group, Loader, Text } from "@mantine/core";
import { type RefCallback, type RefObject, useCallback, useEffect, useRef } from "react";

import { ListOrBoard } from "@/components/records/board/list-or-board";
import { BulkBar, MAX_LOADED_AT_ONCE } from "@/components/records/list/bulk/bulk-bar";
import { LeftOutAlert } from "@/components/records/list/left-out-alert";
import { NoRecords } from "@/components/records/list/no-records";
import classes from "@/components/records/list/record-list.module.css";
import { RecordTable } from "@/components/records/list/table/record-table";
import { Toolbar } from "@/components/records/list/toolbar/toolbar";
import { type Selection, useSelection } from "@/components/records/list/use-selection";
import { type FirstPage, useRecords, useTotal } from "@/components/records/list/use-records";
import { isNarrowed, type ListView, writeView } from "@/components/records/list/view/list-view";
import type { ListRow } from "@/components/records/list/view/list-row";
import type { Sorting } from "@/components/records/list/view/sortings";
import { useListView } from "@/components/records/list/view/use-list-view";
import { RECORD_NAMES } from "@/components/records/record-names";
import { useScrollMemory } from "@/components/records/use-scroll-memory";
import { ProblemAlert } from "@/components/ui/feedback/problem-alert";
import { Loaded } from "@/components/ui/feedback/loaded";
import { TableSkeleton } from "@/components/ui/feedback/shaped-skeletons";
import { Page } from "@/components/ui/layout/page";
import { formatNumber } from "@/components/ui/text/format";
import { fieldOf } from "@/components/records/fields/field-of";
import { LinkButton } from "@/components/ui/text/links";
import { ME } from "@/lib/records/schema/list-address";
import type { ResourceName } from "@/lib/records/schema/resources";

interface RecordListProps {
  resource: ResourceName;
  /** The first page of the view that the server has read. */
  first: FirstPage | null;
}

/** The records of one kind: searched, filtered, in an order and in columns that the page's address holds. */
export function RecordList({ resource, first }: RecordListProps) {
  const { view, leftOut, change } = useListView(resource);
  const query = useRecords(resource, view, first);
  const total = useTotal(resource, view);
  const { plural, singular } = RECORD_NAMES[resource];
  const title = useTitleFocus();
  const sort = (sorting: Sorting) => {
    title.onPress();
    change(sorting);
  };
  return (
    <Page
      title={plural}
      fills
      actions={
        <Group gap="xs">
          {resource === "opportunities" && <ListOrBoard shown="list" />}
          <LinkButton href={`/${resource}/new${givenBy(resource, view)}`}>New {singular.toLowerCase()}</LinkButton>
        </Group>
      }
    >
      <LeftOutAlert parts={leftOut} />
      <Toolbar resource={resource} view={view} total={total} onChange={change} />
      <Loaded query={query} loading={`Loading ${plural.toLowerCase()}`} skeleton={TableSkeleton}>
        {(rows) => (
          <Rows
            key={writeView(resource, view)}
            resource={resource}
            view={view}
            rows={rows}
            total={total}
            query={query}
            onSort={sort}
            frame={title.frame}
          />
        )}
      </Loaded>
    </Page>
  );
}

/** What a new record is given: the record whose list this is. */
function givenBy(resource: ResourceName, { filters }: ListView): string {
  const references = Object.entries(filters).filter(
    // Whoever creates a record owns it anyway.
    ([name, value]) => value !== ME && fieldOf(resource, name)?.references,
  );
  const query = new URLSearchParams(references).toString();
  return query && `?${query}`;
}

interface RowsProps {
  resource: ResourceName;
  view: ListView;
  rows: readonly ListRow[];
  total: number | undefined;
  query: ReturnType<typeof useRecords>;
  onSort: (sorting: Sorting) => void;
  /** Gets the element around the rows. */
  frame: RefCallback<HTMLElement>;
}

/** The dialogs of the bulk bar stay when the last row is gone: they say which records were not changed. */
function Rows(props: RowsProps) {
  const { resource, view, rows, total, query, frame } = props;
  const selection = useSelection(rows);
  const { hasNextPage, fetchNextPage } = query;
  const isShown = useIsShown();
  const loadRest = async () => {
    let loaded = await fetchNextPage();
    const isLonger = () => loaded.hasNextPage && (loaded.data?.length ?? 0) < MAX_LOADED_AT_ONCE;
    // The query goes on with another list when the view changes.
    while (isShown.current && isLonger() && !loaded.isError) loaded = await fetchNextPage();
    // What could not be loaded is explained below the rows.
    if (isShown.current && !loaded.isError) selection.selectAll(loaded.data);
  };
  const isEmpty = rows.length === 0;
  return (
    <div ref={frame} className={isEmpty ? undefined : classes.frame}>
      {!isEmpty && <Table {...props} selection={selection} />}
      {isEmpty && query.isSuccess && <NoRecords resource={resource} isNarrowed={isNarrowed(view)} />}
      <BulkBar
        resource={resource}
        rows={rows}
        total={hasNextPage ? total : undefined}
        onLoadRest={loadRest}
        selection={selection}
      />
    </div>
  );
}

function Table({ resource, view, rows, total, query, onSort, selection }: RowsProps & { selection: Selection }) {
  const scroller = useRef<HTMLDivElement>(null);
  useScrollMemory(scroller, resource, `${resource}?${writeView(resource, view)}`);
  const { hasNextPage, isFetching, isError, fetchNextPage } = query;
  const wantsMore = hasNextPage && !isFetching && !isError;
  const onNearEnd = useCallback(() => {
    if (wantsMore) void fetchNextPage();
  }, [wantsMore, fetchNextPage]);
  return (
    <RecordTable
      resource={resource}
      columns={view.columns}
      rows={rows}
      total={total}
      selection={selection}
      sorting={view}
      onSort={onSort}
      scroller={scroller}
      isBusy={query.isPlaceholderData}
      onNearEnd={onNearEnd}
    >
      <End query={query} count={rows.length} />
    </RecordTable>
  );
}

/** Rows in another order come with a head of their own, in which the title that was pressed takes the focus again. */
function useTitleFocus() {
  const isPressed = useRef(false);
  const onPress = () => {
    isPressed.current = true;
  };
  const frame = useCallback((element: HTMLElement | null) => {
    if (!element) return;
    if (isPressed.current) element.querySelector<HTMLElement>("[aria-sort$=scending] button")?.focus();
    isPressed.current = false;
  }, []);
  return { onPress, frame };
}

/** Whether the component is still there, for work that goes on without it. */
function useIsShown(): RefObject<boolean> {
  const isShown = useRef(false);
  useEffect(() => {
    isShown.current = true;
    return () => {
      isShown.current = false;
    };
  }, []);
  return isShown;
}

/** Below the last loaded row: that more are coming, why they are not, or that there are none. */
function End({ query, count }: { query: RowsProps["query"]; count: number }) {
  if (query.isFetchNextPageError)
    return <ProblemAlert error={query.error} onRetry={() => void query.fetchNextPage()} />;
  if (query.isFetchingNextPage) return <Loader size="sm" display="block" mx="auto" aria-label="Loading more" />;
  if (query.hasNextPage)
    return (
      <>
        <Button variant="subtle" display="block" mx="auto" onClick={() => void query.fetchNextPage()}>
          Load more
        </Button>
        <Text size="sm" className="on-paper">{`These are the first ${formatNumber(count)}. There are more.`}</Text>
      </>
    );
  return (
    <Text size="sm" c="dimmed" className={classes.note}>
      {count === 1 ? "That is the only one." : `That is all of them: ${formatNumber(count)}.`}
    </Text>
  );
}
