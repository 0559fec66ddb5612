"use client";

import { Container } from "@mantine/core";

import { PageFailure } from "@/components/shell/page-failure";

/** Shown within the frame, which keeps its navigation. The frame already contains the page's only `main`. */
export default function ErrorPage({ error, reset }: { error: Error & { digest?: string }; reset: () => void }) {
  return (
    <Container size="xs" py={96}>
      <PageFailure reference={error.digest} retry={reset} />
    </Container>
  );
}
