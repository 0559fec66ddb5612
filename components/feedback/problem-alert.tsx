"use client";

import { Alert, Button, Group, List, Text } from "@mantine/core";
import { IconAlertTriangle } from "@tabler/icons-react";
import { useEffect, useRef } from "react";

import { asProblem } from "@/components/api/problem";
import { LinkButton } from "@/components/shell/link-button";

interface ProblemAlertProps {
  error: unknown;
  onRetry?: () => void;
  /** Moves the focus here when it appears: for the answer to something that the reader just did. */
  takesFocus?: boolean;
}

/** What the API refused, as a sentence with cause and remedy. */
export function ProblemAlert({ error, onRetry, takesFocus = false }: ProblemAlertProps) {
  const problem = asProblem(error);
  const faults = problem.errors.filter((fault) => fault.detail !== problem.message);
  const ref = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (takesFocus) ref.current?.focus();
  }, [takesFocus]);
  return (
    <Alert ref={ref} tabIndex={-1} color="rust" title={problem.title} icon={<IconAlertTriangle aria-hidden />} role="alert">
      <Text size="sm">{problem.message}</Text>
      {faults.length > 0 && (
        <List size="sm" mt="xs">
          {faults.map((fault) => (
            <List.Item key={`${fault.pointer} ${fault.code}`}>{fault.detail}</List.Item>
          ))}
        </List>
      )}
      {problem.requestId && problem.status >= 500 && (
        <Text size="xs" c="dimmed" mt="xs">
          Request {problem.requestId}
        </Text>
      )}
      <Group mt={onRetry || problem.status === 401 ? "sm" : 0}>
        {problem.status === 401 && (
          <LinkButton href="/sign-in" size="xs" variant="default">
            Sign in again
          </LinkButton>
        )}
        {onRetry && (
          <Button size="xs" variant="default" onClick={onRetry}>
            Try again
          </Button>
        )}
      </Group>
    </Alert>
  );
}
