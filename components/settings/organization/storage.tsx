import { Group, Progress, Stack, Text } from "@mantine/core";

import classes from "@/components/settings/organization/storage.module.css";
import measure from "@/components/ui/form/measure.module.css";
import { Section } from "@/components/ui/layout/section";
import { Ago } from "@/components/ui/text/ago";
import { formatBytes } from "@/components/ui/text/format";
import type { OrganizationSettings } from "@/lib/settings/organization/organization-schema";

type StorageKind = keyof NonNullable<OrganizationSettings["storage"]["kinds"]>;

/** The kinds of stored data, in the order in which they are shown. */
const LABELS: Record<StorageKind, string> = {
  records: "Records, what was deleted in the last 30 days, and what an undo would bring back",
  files: "Files of records",
  migrations: "Migrations and their reports",
  events: "Events and webhook deliveries",
  audit_log: "Audit log",
  other: "Everything else",
};

const KINDS = Object.keys(LABELS) as StorageKind[];

/** From here on, the bar warns. */
const NEARLY_FULL = 90;

/** How much the organization has stored, of how much, and of what kind. */
export function Storage({ storage }: { storage: OrganizationSettings["storage"] }) {
  const { used_bytes: used, quota_bytes: quota, measured_at, kinds } = storage;
  const percent = quota === null ? null : Math.min(100, (used / quota) * 100);
  return (
    <Section
      title="Storage"
      lead={
        quota === null
          ? "This service sets no limit."
          : "Above the limit nothing can be created or imported; reading and deleting go on."
      }
    >
      <Stack gap="md" className={measure.form}>
        <div>
          <Text>
            <b>{formatBytes(used)}</b>
            {quota !== null && ` of ${formatBytes(quota)} used`}
          </Text>
          {percent !== null && (
            <Progress
              value={percent}
              mt={6}
              size="lg"
              color={percent >= NEARLY_FULL ? "rust" : "pine"}
              aria-label="Storage used"
            />
          )}
        </div>
        {kinds && <Kinds kinds={kinds} />}
        <Text size="sm" c="dimmed" component="output">
          {kinds ? (
            <>
              Measured <Ago iso={measured_at} />
            </>
          ) : (
            "Being measured. This takes from a second to a few minutes."
          )}
        </Text>
      </Stack>
    </Section>
  );
}

function Kinds({ kinds }: { kinds: NonNullable<OrganizationSettings["storage"]["kinds"]> }) {
  return (
    <dl className={classes.kinds}>
      {KINDS.map((kind) => (
        <Group key={kind} justify="space-between" wrap="nowrap" gap="md" className={classes.kind}>
          <dt>{LABELS[kind]}</dt>
          <dd>{formatBytes(kinds[kind] ?? 0)}</dd>
        </Group>
      ))}
    </dl>
  );
}
