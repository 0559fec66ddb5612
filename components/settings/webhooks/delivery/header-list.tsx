import { Fragment } from "react";

import classes from "@/components/settings/webhooks/delivery/header-list.module.css";

/** The headers of a request or an answer, as text. */
export function HeaderList({ headers }: { headers: Record<string, string> }) {
  return (
    <dl className={classes.list}>
      {Object.entries(headers).map(([name, value]) => (
        <Fragment key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </Fragment>
      ))}
    </dl>
  );
}
