"use client";

import { Box, Group, Stack, Text, Title } from "@mantine/core";
import { useRef } from "react";

import { Announcement } from "@/components/ui/feedback/announcement";
import { ProblemAlert } from "@/components/ui/feedback/problem-alert";
import { RowsSkeleton } from "@/components/ui/feedback/rows-skeleton";
import { PagedTable } from "@/components/ui/layout/paged-table";
import { DeliveryFilters } from "@/components/settings/webhooks/deliveries/delivery-filters";
import { deliveryColumns } from "@/components/settings/webhooks/deliveries/delivery-columns";
import { queryOf } from "@/components/settings/webhooks/deliveries/filter";
import { formatDeliveries } from "@/components/settings/webhooks/deliveries/format-deliveries";
import { NoDeliveries } from "@/components/settings/webhooks/deliveries/no-deliveries";
import { RecoverDeliveries } from "@/components/settings/webhooks/deliveries/recover/recover-deliveries";
import { useDeliveries } from "@/components/settings/webhooks/deliveries/use-deliveries";
import { useFilter } from "@/components/settings/webhooks/deliveries/use-filter";
import type { Webhook } from "@/lib/webhooks/endpoints/webhook-schema";

/** What was sent to a webhook and what is to be sent, newest first, narrowed by what stands in the page's address. */
export function DeliveryLog({ webhook }: { webhook: Webhook }) {
  const { filter, change, clear } = useFilter();
  const narrowed = queryOf(filter);
  const query = useDeliveries(webhook.id, narrowed, webhook.active);
  const rows = query.data?.pages.flatMap((page) => page.data) ?? [];
  const head = useRef<HTMLDivElement>(null);
  const clearAll = () => {
    clear();
    // The button that was pressed goes away.
    head.current?.focus();
  };
  return (
    <Stack component="section" aria-labelledby="deliveries">
      <Box ref={head} tabIndex={-1} style={{ outline: "none" }}>
        <Title order={2} id="deliveries" mb="sm">
          Deliveries
        </Title>
        <Group justify="space-between" align="flex-end" gap="sm">
          <DeliveryFilters filter={filter} onChange={change} />
          <RecoverDeliveries webhook={webhook} />
        </Group>
      </Box>
      <Announcement>{countInWords(query, rows.length)}</Announcement>
      {query.isPending && <RowsSkeleton label="Loading the deliveries" />}
      {query.isError && rows.length === 0 && <ProblemAlert error={query.error} onRetry={() => void query.refetch()} />}
      {query.isSuccess && rows.length === 0 && <NoDeliveries isNarrowed={narrowed !== ""} onClear={clearAll} />}
      {rows.length > 0 && (
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
    </Stack>
  );
}

/**
 * What a screen reader is told when the filter has changed; nothing while the rows of another filter are still there.
 */
function countInWords(
  { isSuccess, isPlaceholderData, hasNextPage }: ReturnType<typeof useDeliveries>,
  count: number,
): string {
  if (!isSuccess || isPlaceholderData) return "";
  return hasNextPage ? `The newest ${formatDeliveries(count)}` : formatDeliveries(count);
}
