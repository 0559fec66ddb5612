"use client";

import { Button } from "@mantine/core";
import { IconHistory } from "@tabler/icons-react";

import { EventList } from "@/components/settings/audit-log/event-list";
import { AuditFilters } from "@/components/settings/audit-log/filter/audit-filters";
import { FILTER_FORM, hasFilter } from "@/components/settings/audit-log/filter/filter";
import { useClientChoices, usePeopleChoices } from "@/components/settings/audit-log/filter/use-choices";
import { useAuditEvents } from "@/components/settings/audit-log/use-audit-events";
import { SETTINGS } from "@/components/settings/settings-links";
import { EmptyList } from "@/components/ui/feedback/empty-list";
import { Loaded } from "@/components/ui/feedback/loaded";
import { TableSkeleton } from "@/components/ui/feedback/shaped-skeletons";
import { LoadedCount } from "@/components/ui/feedback/loaded-count";
import { useAddressFilter } from "@/components/ui/form/use-address-filter";
import { Page } from "@/components/ui/layout/page";
import { formatCount } from "@/components/ui/text/format";

/** Who did what in the organization, newest first, filtered by the page's address. */
export function AuditLog() {
  const { filter, change, clear } = useAddressFilter(FILTER_FORM);
  const query = useAuditEvents(filter);
  const people = usePeopleChoices(filter, query.data ?? []);
  const clients = useClientChoices(filter, query.data ?? []);
  return (
    <Page
      title="Audit log"
      parent={SETTINGS}
      lead="Who signed in, and what was allowed, created, changed, revoked and started. Nobody can change or delete it."
    >
      <AuditFilters filter={filter} people={people} clients={clients} onChange={change} onClear={clear} />
      <LoadedCount query={query} format={(count) => formatCount(count, "event")} />
      <Loaded
        query={query}
        loading="Loading the audit log"
        skeleton={TableSkeleton}
        empty={hasFilter(filter) ? <NoMatch onClear={clear} /> : <NoEvents />}
      >
        {(events) => <EventList events={events} query={query} onNarrow={change} />}
      </Loaded>
    </Page>
  );
}

function NoMatch({ onClear }: { onClear: () => void }) {
  return (
    <EmptyList icon={IconHistory} title="Nothing like that has happened" description="No event fits these filters.">
      <Button variant="default" onClick={onClear}>
        Clear the filters
      </Button>
    </EmptyList>
  );
}

function NoEvents() {
  return (
    <EmptyList
      icon={IconHistory}
      title="Nothing has happened yet"
      description="Sign-ins, changes of API clients, access tokens and migrations will be listed here from now on."
    />
  );
}
