import { Text } from "@mantine/core";

import classes from "@/components/migration/report/bar-list.module.css";

export interface Bar {
  key: string;
  label: string;
  /** What the bar shows, in words: bars themselves are for the eye alone. */
  value: string;
  /** Shares of the whole width, from 0 to 1. */
  start?: number;
  length: number;
}

/** Bars on a common axis, each with its name and its value. */
export function BarList({ bars }: { bars: readonly Bar[] }) {
  return (
    <ol className={classes.list}>
      {bars.map(({ key, label, value, start = 0, length }) => (
        <li key={key} className={classes.row}>
          <Text component="span" size="sm" fw={500} className={classes.label}>
            {label}
          </Text>
          <Text component="span" size="sm" c="dimmed" className={classes.value}>
            {value}
          </Text>
          <div className={classes.track} aria-hidden="true">
            <div className={classes.bar} style={{ marginInlineStart: percent(start), width: percent(length) }} />
          </div>
        </li>
      ))}
    </ol>
  );
}

function percent(share: number): string {
  return `${100 * share}%`;
}
