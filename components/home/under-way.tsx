import { Anchor, Group, Progress, Text } from "@mantine/core";
import type { ReactNode } from "react";

import { queryKeys } from "@/components/api/query-keys";
import { SHORT_PAGE, useList } from "@/components/api/use-list";
import classes from "@/components/home/under-way.module.css";
import { accountInWords, totalProgress } from "@/components/migration/migrate/progress/progress";
import { isUnderWay, STATUSES } from "@/components/migration/wizard/migration-statuses";
import { StatusBadge } from "@/components/migration/wizard/status-badge";
import { nameOf } from "@/components/settings/webhooks/webhook";
import { WebhookState } from "@/components/settings/webhooks/webhook-state";
import { ProblemAlert } from "@/components/ui/feedback/problem-alert";
import { Section } from "@/components/ui/layout/section";
import { Ago } from "@/components/ui/text/ago";
import { formatNumber } from "@/components/ui/text/format";
import { Link } from "@/components/ui/text/links";
import type { Migration } from "@/lib/migration/migration-schema";
import type { Webhook } from "@/lib/webhooks/endpoints/webhook-schema";

const REFETCH_MS = 5000;

/** Migrations that run or wait for somebody, or the last one, and webhooks that fail. */
export function UnderWay({ isAdmin }: { isAdmin: boolean }) {
  const migrations = useList<Migration>({
    queryKey: queryKeys.migrationsUnderWay(),
    path: `/migration?limit=${SHORT_PAGE}`,
    refetchEvery: (rows) => (rows.some(({ status }) => isUnderWay(status)) ? REFETCH_MS : false),
  });
  return (
    <>
      {migrations.isError && <ProblemAlert error={migrations.error} onRetry={() => void migrations.refetch()} />}
      <Migrations migrations={shownOf(migrations.data ?? [])} />
      {isAdmin && <FailingWebhooks />}
    </>
  );
}

/** The open ones, or else the newest. */
function shownOf(migrations: readonly Migration[]): readonly Migration[] {
  const open = migrations.filter(
    (each, index) => isUnderWay(each.status) || (isOpen(each) && !isOver(each, migrations.slice(0, index))),
  );
  return open.length > 0 ? open : migrations.slice(0, 1);
}

/**
 * Whether a newer migration of its org has taken the place of one that waits or has stopped: one that has ended; for a
 * failed analysis, any.
 */
function isOver({ status, ext_instance_url: url }: Migration, newer: readonly Migration[]): boolean {
  return newer.some(
    (other) =>
      other.ext_instance_url === url && (status === "analysis_failed" || STATUSES[other.status].isFinished === true),
  );
}

/** Whether the migration runs, waits for an answer of a person, or has stopped before its end. */
function isOpen({ status }: Migration): boolean {
  return isUnderWay(status) || status === "ready" || status === "failed" || status === "analysis_failed";
}

function Migrations({ migrations }: { migrations: readonly Migration[] }) {
  if (migrations.length === 0) return null;
  return (
    <Section title="Migrations">
      <ul className={classes.list}>
        {migrations.map((item) => (
          <Row
            key={item.migration_id}
            href={`/migration/${item.migration_id}`}
            name={item.org_name ?? new URL(item.ext_instance_url).host}
            state={<StatusBadge status={item.status} />}
          >
            <Done migration={item} />
          </Row>
        ))}
      </ul>
    </Section>
  );
}

interface RowProps {
  href: string;
  name: string;
  state: ReactNode;
  children?: ReactNode;
}

function Row({ href, name, state, children }: RowProps) {
  return (
    <li className={classes.row}>
      <Group justify="space-between" gap="sm">
        <Anchor component={Link} href={href} fw={600} className={classes.name}>
          <bdi>{name}</bdi>
        </Anchor>
        {state}
      </Group>
      {children}
    </li>
  );
}

/** How much of a run is done. */
function Done({ migration }: { migration: Migration }) {
  const { status, finished_at } = migration;
  const { done, total, percent } = totalProgress(migration);
  if (finished_at && STATUSES[status].isFinished)
    return (
      <Text size="sm" c="dimmed" mt={4}>
        {accountInWords(migration)}; it finished <Ago iso={finished_at} />
      </Text>
    );
  if (total === 0 || !isUnderWay(status)) return null;
  return (
    <>
      <Progress value={percent} mt="xs" aria-label="Records done" />
      <Text size="sm" c="dimmed" mt={4}>
        {formatNumber(done)} of {formatNumber(total)} records
      </Text>
    </>
  );
}

/** Only admins can read webhooks. */
function FailingWebhooks() {
  const query = useList<Webhook>({ queryKey: queryKeys.webhooks(), path: "/webhooks" });
  const failing = (query.data ?? []).filter(isFailing);
  if (query.isError) return <ProblemAlert error={query.error} onRetry={() => void query.refetch()} />;
  if (failing.length === 0) return null;
  return (
    <Section title="Webhooks that need attention">
      <ul className={classes.list}>
        {failing.map((item) => (
          <Row
            key={item.id}
            href={`/settings/webhooks/${item.id}`}
            name={nameOf(item)}
            state={<WebhookState webhook={item} />}
          />
        ))}
      </ul>
    </Section>
  );
}

function isFailing({ active, disabled_reason, failing_since, failed_deliveries }: Webhook): boolean {
  return active ? failing_since !== null || failed_deliveries > 0 : disabled_reason !== null;
}
