"use client";

import { IconWebhook } from "@tabler/icons-react";

import { WEBHOOK_COLUMNS } from "@/components/settings/webhooks/list/webhook-columns";
import { useWebhooks } from "@/components/settings/webhooks/use-webhooks";
import { SETTINGS } from "@/components/settings/settings-links";
import { EmptyList } from "@/components/ui/feedback/empty-list";
import { Loaded } from "@/components/ui/feedback/loaded";
import { TableSkeleton } from "@/components/ui/feedback/shaped-skeletons";
import { Page } from "@/components/ui/layout/page";
import { PagedTable } from "@/components/ui/layout/paged-table";
import { LinkButton, TextLink } from "@/components/ui/text/links";

/** The webhooks of the organization with their health, newest first; without any, what one is and how to create it. */
export function WebhookList() {
  const query = useWebhooks();
  const isEmpty = query.isSuccess && query.data.length === 0;
  return (
    <Page
      title="Webhooks"
      parent={SETTINGS}
      lead={
        <>
          Other systems that receive events from here as they happen. The API reference says{" "}
          <TextLink href="/docs/webhooks#receiving" underline="always" inherit>
            what an endpoint gets
          </TextLink>{" "}
          and how it verifies it.
        </>
      }
      actions={!isEmpty && <LinkButton href="/settings/webhooks/new">Create webhook</LinkButton>}
    >
      <Loaded query={query} loading="Loading webhooks" skeleton={TableSkeleton} empty={<NoWebhooks />}>
        {(rows) => (
          <PagedTable
            hasMany
            caption="Webhooks"
            columns={WEBHOOK_COLUMNS}
            rows={rows}
            rowKey={(row) => row.id}
            query={query}
          />
        )}
      </Loaded>
    </Page>
  );
}

function NoWebhooks() {
  return (
    <EmptyList
      icon={IconWebhook}
      title="No webhooks yet"
      description={
        "A webhook tells another system of yours the moment something happens here: a case is escalated, an " +
        "opportunity changes its stage. Each event is sent to an address that you name, signed if you want, and is " +
        "repeated for a while if it does not arrive."
      }
    >
      <LinkButton href="/settings/webhooks/new">Create webhook</LinkButton>
    </EmptyList>
  );
}
