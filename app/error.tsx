"use client";

import { Container } from "@mantine/core";

import { PageFailure } from "@/components/shell/page-failure";

/** Shown instead of a page outside the console that threw an error. `digest` identifies it in the server's log. */
export default function ErrorPage({ error, reset }: { error: Error & { digest?: string }; reset: () => void }) {
  return (
    <Container size="xs" component="main" py={96}>
      <PageFailure reference={error.digest} retry={reset} />
    </Container>
  );
}
