"use client";

import { Alert, Button, Group, List, Text } from "@mantine/core";
import { IconAlertTriangle } from "@tabler/icons-react";
import { type ReactNode, useEffect, useRef } from "react";

import { asProblem, type Problem } from "@/components/api/problem";
import classes from "@/components/ui/feedback/problem-alert.module.css";
import { RequestId } from "@/components/ui/feedback/request-id";
import { SignInAgain } from "@/components/ui/feedback/sign-in-again";
import { LinkButton } from "@/components/ui/text/links";

export interface ProblemAlertProps {
  error: unknown;
  onRetry?: () => void;
  /** Where the reader can go when there is no such thing. */
  list?: { href: string; name: string } | undefined;
  /** Moves the focus here when it appears: for the refusal of something that the reader just did. */
  takesFocus?: boolean;
  /** More on how to mend it. */
  children?: ReactNode;
}

/** Statuses that the same request would meet again. After a new sign-in it meets no 401. */
const FINAL = new Set([403, 404]);

/** Shows why the API refused a request, and how to mend it. */
export function ProblemAlert({ error, onRetry, list, takesFocus = false, children }: ProblemAlertProps) {
  const problem = asProblem(error);
  const faults = problem.errors.filter((fault) => fault.detail !== problem.message);
  const ref = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (takesFocus) ref.current?.focus();
  }, [takesFocus]);
  return (
    <Alert
      ref={ref}
      tabIndex={-1}
      color="rust"
      title={problem.title}
      icon={<IconAlertTriangle aria-hidden />}
      role="alert"
    >
      <Text size="sm">{problem.message}</Text>
      {faults.length > 0 && (
        <List size="sm" mt="xs">
          {faults.map((fault) => (
            <List.Item key={`${fault.pointer} ${fault.code}`}>{fault.detail}</List.Item>
          ))}
        </List>
      )}
      {children}
      <RequestId id={problem.requestId} />
      <WaysOn problem={problem} onRetry={onRetry} list={list} />
    </Alert>
  );
}

function WaysOn({ problem, onRetry, list }: Pick<ProblemAlertProps, "onRetry" | "list"> & { problem: Problem }) {
  const isMissing = problem.status === 404;
  return (
    <Group mt="sm" className={classes.ways}>
      {problem.status === 401 && <SignInAgain />}
      {isMissing && list && (
        <LinkButton href={list.href} size="xs" variant="default">
          {list.name}
        </LinkButton>
      )}
      {onRetry && !FINAL.has(problem.status) && (
        <Button size="xs" variant="default" onClick={onRetry}>
          Try again
        </Button>
      )}
    </Group>
  );
}
