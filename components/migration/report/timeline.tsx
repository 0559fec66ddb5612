import { Paper, Text, Title } from "@mantine/core";

import { formatCount, formatEstimate } from "@/components/ui/text/format";
import classes from "@/components/migration/report/timeline.module.css";
import { objectName } from "@/lib/migration/objects/migrated-objects";
import type { Report } from "@/lib/migration/report/report-schema";

/** The estimated time of each object in the order of import, as bars on a common time axis. */
export function Timeline({ estimate: { seconds: total, timeline } }: { estimate: Report["estimate"] }) {
  const last = timeline.at(-1);
  if (!last) return null;
  const end = last.starts_after_seconds + last.seconds;
  const percent = (seconds: number) => `${(100 * seconds) / (end || 1)}%`;
  return (
    <section>
      <Title order={2}>Estimated timeline</Title>
      <Text c="dimmed" size="sm" mb="md">
        Importing all objects, one after the other, takes {formatEstimate(total)}. This was measured during the
        analysis; it may take longer while others use the org.
      </Text>
      <Paper withBorder p={{ base: "md", sm: "lg" }}>
        <ol className={classes.list}>
          {timeline.map(({ object, records, starts_after_seconds: start, seconds }) => (
            <li key={object} className={classes.row}>
              <Text component="span" size="sm" fw={500}>
                {objectName(object)}
              </Text>
              <Text component="span" size="sm" c="dimmed" className={classes.time}>
                {formatCount(records, "record")}, {formatEstimate(seconds)}
              </Text>
              <div className={classes.track} aria-hidden="true">
                <div className={classes.bar} style={{ marginInlineStart: percent(start), width: percent(seconds) }} />
              </div>
            </li>
          ))}
        </ol>
      </Paper>
    </section>
  );
}
