import { Code } from "@mantine/core";

import type { Operation } from "@/components/docs/document";
import classes from "@/components/docs/operation/operation-card.module.css";

/** The problems that an operation can answer with, each with a link to its page. */
export function ProblemList({ responses }: Pick<Operation, "responses">) {
  const problems = Object.entries(responses).flatMap(([status, { content }]) => {
    const codes = content?.["application/problem+json"]?.schema.properties?.code?.enum ?? [];
    return codes.map((code) => ({ status, code: String(code) }));
  });
  return (
    <details className={classes.problems}>
      <summary>Problems</summary>
      <ul>
        {problems.map(({ status, code }) => (
          <li key={code}>
            <Code>{status}</Code> <a href={`/docs/errors/${code}`}>{code}</a>
          </li>
        ))}
      </ul>
    </details>
  );
}
