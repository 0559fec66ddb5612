import classes from "@/components/migration/samples.module.css";

/** Values of real records, one per line, truncated if they are long. */
export function Samples({ values }: { values: readonly string[] }) {
  return (
    <ul className={classes.samples}>
      {[...new Set(values)].map((value) => (
        <li key={value}>
          <bdi>{value}</bdi>
        </li>
      ))}
    </ul>
  );
}
