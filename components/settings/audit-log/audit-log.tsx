"use client";

import { Box } from "@mantine/core";
import { useRef } from "react";

import { Announcement } from "@/components/ui/feedback/announcement";
import { ProblemAlert } from "@/components/ui/feedback/problem-alert";
import { RowsSkeleton } from "@/components/ui/feedback/rows-skeleton";
import { formatCount } from "@/components/ui/text/format";
import { Page } from "@/components/ui/layout/page";
import { AuditFilters } from "@/components/settings/audit-log/filter/audit-filters";
import { EventList } from "@/components/settings/audit-log/event-list";
import { isNarrowed } from "@/components/settings/audit-log/filter/filter";
import { NoEvents } from "@/components/settings/audit-log/no-events";
import { useAuditEvents } from "@/components/settings/audit-log/use-audit-events";
import { useClients, usePeople } from "@/components/settings/audit-log/filter/use-choices";
import { useFilter } from "@/components/settings/audit-log/filter/use-filter";

/** Who did what in the organization, newest first, narrowed by what stands in the page's address. */
export function AuditLog() {
  const { filter, change, clear } = useFilter();
  const query = useAuditEvents(filter);
  const events = query.data?.pages.flatMap((page) => page.data) ?? [];
  const people = usePeople(filter, events);
  const clients = useClients(filter, events);
  const filters = useRef<HTMLDivElement>(null);
  const clearAll = () => {
    clear();
    // The button that was pressed goes away.
    filters.current?.focus();
  };
  return (
    <Page
      title="Audit log"
      lead="Who signed in, and what was allowed, created, changed, revoked and started. Nobody can change or delete it."
    >
      <Box ref={filters} tabIndex={-1} style={{ outline: "none" }}>
        <AuditFilters filter={filter} people={people} clients={clients} onChange={change} onClear={clearAll} />
      </Box>
      <Announcement>{countInWords(query, events.length)}</Announcement>
      {query.isPending && <RowsSkeleton label="Loading the audit log" />}
      {query.isError && !query.isFetchNextPageError && (
        <ProblemAlert error={query.error} onRetry={() => void query.refetch()} />
      )}
      {query.isSuccess && events.length === 0 && <NoEvents isNarrowed={isNarrowed(filter)} onClear={clearAll} />}
      {events.length > 0 && <EventList events={events} query={query} onNarrow={change} />}
    </Page>
  );
}

/**
 * What a screen reader is told when the filter has changed; nothing while the events of another filter are still there.
 */
function countInWords(
  { isSuccess, isPlaceholderData, hasNextPage }: ReturnType<typeof useAuditEvents>,
  count: number,
): string {
  if (!isSuccess || isPlaceholderData) return "";
  return hasNextPage ? `The newest ${formatCount(count, "event")}` : formatCount(count, "event");
}
