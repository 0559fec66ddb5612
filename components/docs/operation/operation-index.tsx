import { Code } from "@mantine/core";

import type { Operation } from "@/components/docs/document";
import { InlineText } from "@/components/docs/markdown/inline-text";
import classes from "@/components/docs/operation/operation-index.module.css";
import { PathText } from "@/components/docs/operation/path-text";

/** The operations of a page, each with a link to its card. */
export function OperationIndex({ operations }: { operations: readonly Operation[] }) {
  return (
    <ul className={classes.index}>
      {operations.map(({ operationId, method, path, summary }) => (
        <li key={operationId} className={classes.item}>
          <a href={`#${operationId}`} className={classes.link}>
            <Code className={classes.code}>
              {method} <PathText path={path} />
            </Code>
          </a>
          <span className={classes.summary}>
            <InlineText text={summary} />
          </span>
        </li>
      ))}
    </ul>
  );
}
