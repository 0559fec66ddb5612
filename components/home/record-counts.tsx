import { Paper, Text } from "@mantine/core";

import classes from "@/components/home/record-counts.module.css";
import type { RecordCount } from "@/components/home/use-record-counts";
import { RECORD_NAMES } from "@/components/records/record-names";
import { formatNumber } from "@/components/ui/text/format";
import { Link } from "@/components/ui/text/links";

/** Each kind of record with its number, as a link to its list. */
export function RecordCounts({ counts }: { counts: readonly RecordCount[] }) {
  return (
    <ul className={classes.grid} aria-label="Records">
      {counts.map(({ resource, records }) => {
        const { singular, plural, icon: Icon } = RECORD_NAMES[resource];
        return (
          <Paper key={resource} component="li" withBorder>
            <Link href={`/${resource}`} className={classes.link}>
              <Icon size={18} stroke={1.6} aria-hidden className={classes.icon} />
              <Text component="span" className={classes.number} data-none={records === 0 || undefined}>
                {formatNumber(records)}
              </Text>{" "}
              <Text component="span" size="sm" c="dimmed">
                {records === 1 ? singular : plural}
              </Text>
            </Link>
          </Paper>
        );
      })}
    </ul>
  );
}
