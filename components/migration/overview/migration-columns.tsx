import { formatNumber } from "@/components/ui/text/format";
import { TextLink } from "@/components/ui/text/links";
import { Moment } from "@/components/ui/text/moment";
import type { StackColumn } from "@/components/ui/layout/stack-table";
import { accountInWords } from "@/components/migration/migrate/progress/progress";
import { StatusBadge } from "@/components/migration/wizard/status-badge";
import type { Migration } from "@/lib/migration/migration-schema";

/** The columns of the list of migrations. */
export const MIGRATION_COLUMNS: StackColumn<Migration>[] = [
  {
    key: "org",
    header: "Salesforce org",
    heading: true,
    cell: (item) => (
      <TextLink href={`/migration/${item.migration_id}`} inherit>
        <bdi>{item.org_name ?? new URL(item.ext_instance_url).host}</bdi>
      </TextLink>
    ),
  },
  { key: "status", header: "Status", cell: (item) => <StatusBadge status={item.status} /> },
  { key: "created_at", header: "Connected", cell: (item) => <Moment iso={item.created_at} /> },
  { key: "runs", header: "Runs", numeric: true, cell: (item) => formatNumber(item.run_number) },
  {
    key: "result",
    header: "Result of the latest run",
    cell: (item) => (item.status === "undone" ? "—" : (accountInWords(item) ?? "—")),
  },
];
