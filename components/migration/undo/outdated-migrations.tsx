import { List, Text } from "@mantine/core";

import { formatCount } from "@/components/ui/text/format";
import { TextLink } from "@/components/ui/text/links";
import { Moment } from "@/components/ui/text/moment";
import type { UndoImpact } from "@/lib/migration/undo/undo-schema";

/** More are not named one by one. */
const MAX_NAMED = 5;

/** Warns before an undo of what it does to other migrations, which may have found here what it takes out. */
export function OutdatedMigrations({ migrations }: { migrations: UndoImpact["outdates"] }) {
  if (migrations.length === 0) return null;
  const others = migrations.length - MAX_NAMED;
  return (
    <div>
      <Text size="sm" fw={600}>
        {formatCount(migrations.length, "other migration")} of this org may have counted these records as here
      </Text>
      <Text size="sm">What the undo takes out is missing there afterwards, until that migration is run again:</Text>
      <List size="sm">
        {migrations.slice(0, MAX_NAMED).map(({ migration_id: id, created_at: connected, finished_at: finished }) => (
          <List.Item key={id}>
            <TextLink href={`/migration/${id}/migrate`} inherit>
              Connected on <Moment iso={connected} />
              {finished !== null && ", finished on "}
              {finished !== null && <Moment iso={finished} />}
            </TextLink>
          </List.Item>
        ))}
        {others > 0 && <List.Item>{formatCount(others, "other")}</List.Item>}
      </List>
    </div>
  );
}
