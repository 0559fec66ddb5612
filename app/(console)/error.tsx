"use client";

import { Container } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { startTransition } from "react";

import { PageFailure } from "@/components/shell/page-failure";

/** Shown within the frame, which keeps its navigation. The frame already contains the page's only `main`. */
export default function ErrorPage({ error, reset }: { error: Error & { digest?: string }; reset: () => void }) {
  const queries = useQueryClient();
  const router = useRouter();
  const retry = () => {
    // An answer on which the page failed must not be shown again.
    queries.clear();
    startTransition(() => {
      router.refresh();
      reset();
    });
  };
  return (
    <Container size="xs" py={96}>
      <PageFailure reference={error.digest} retry={retry} />
    </Container>
  );
}
