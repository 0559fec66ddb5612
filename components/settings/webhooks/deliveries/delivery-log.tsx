"use client";

import { Button, Group, Stack, Text, Title } from "@mantine/core";
import { IconSend } from "@tabler/icons-react";

import { deliveryColumns } from "@/components/settings/webhooks/deliveries/delivery-columns";
import { DeliveryFilters } from "@/components/settings/webhooks/deliveries/delivery-filters";
import { FILTER_FORM, queryOf } from "@/components/settings/webhooks/deliveries/filter";
import { RecoverDeliveries } from "@/components/settings/webhooks/deliveries/recover/recover-deliveries";
import { useDeliveries } from "@/components/settings/webhooks/deliveries/use-deliveries";
import { EmptyList } from "@/components/ui/feedback/empty-list";
import { Loaded } from "@/components/ui/feedback/loaded";
import { TableSkeleton } from "@/components/ui/feedback/shaped-skeletons";
import { LoadedCount } from "@/components/ui/feedback/loaded-count";
import { useAddressFilter } from "@/components/ui/form/use-address-filter";
import { PagedTable } from "@/components/ui/layout/paged-table";
import { formatCount } from "@/components/ui/text/format";
import type { Webhook } from "@/lib/webhooks/endpoints/webhook-schema";

/** The deliveries of a webhook, newest first, filtered by the page's address. */
export function DeliveryLog({ webhook }: { webhook: Webhook }) {
  const { filter, change, clear } = useAddressFilter(FILTER_FORM);
  const filterQuery = queryOf(filter);
  const query = useDeliveries(webhook.id, filterQuery, webhook.active);
  return (
    <Stack component="section" aria-labelledby="deliveries">
      <div>
        <Title order={2} id="deliveries" mb="sm">
          Deliveries
        </Title>
        <Group justify="space-between" align="flex-end" gap="sm">
          <DeliveryFilters filter={filter} onChange={change} />
          <RecoverDeliveries webhook={webhook} />
        </Group>
      </div>
      <LoadedCount query={query} format={(count) => formatCount(count, "delivery", "deliveries")} />
      <Loaded
        query={query}
        loading="Loading the deliveries"
        skeleton={TableSkeleton}
        empty={filterQuery ? <NoMatch onClear={clear} /> : <NoDeliveries />}
      >
        {(rows) => (
          <PagedTable
            hasMany
            caption="Deliveries"
            columns={deliveryColumns(webhook)}
            rows={rows}
            rowKey={(row) => row.event_id}
            query={query}
            end={
              <Text size="sm" c="dimmed">
                That is all of the last 30 days.
              </Text>
            }
          />
        )}
      </Loaded>
    </Stack>
  );
}

function NoMatch({ onClear }: { onClear: () => void }) {
  return (
    <EmptyList icon={IconSend} title="No delivery fits these filters">
      <Button variant="default" onClick={onClear}>
        Clear the filters
      </Button>
    </EmptyList>
  );
}

function NoDeliveries() {
  return (
    <EmptyList
      icon={IconSend}
      title="Nothing was sent yet"
      description={
        "As soon as one of the chosen events happens, it appears here with every attempt to deliver it, for 30 days."
      }
    />
  );
}
