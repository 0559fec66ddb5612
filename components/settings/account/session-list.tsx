"use client";

import { Badge, Button, Group, Modal, Stack, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { notifications } from "@mantine/notifications";
import { useInfiniteQuery, useMutation, useQueryClient } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { z } from "zod";

import { pageOf } from "@/components/api/page-schema";
import { queryKeys } from "@/components/api/query-keys";
import { getJson, sendJson } from "@/components/api/request";
import { ProblemAlert } from "@/components/ui/feedback/problem-alert";
import { RowsSkeleton } from "@/components/ui/feedback/rows-skeleton";
import { formatCount } from "@/components/ui/text/format";
import { LoadMore } from "@/components/ui/layout/load-more";
import { type StackColumn, StackTable } from "@/components/ui/layout/stack-table";
import { Section } from "@/components/ui/layout/section";
import { plainAddress } from "@/components/settings/audit-log/audit-event";
import { Ago } from "@/components/ui/text/moment";
import { type OwnSession, ownSession } from "@/lib/sessions/schemas";

const PATH = "/settings/sessions";
const sessionPage = pageOf(ownSession);
const ended = z.object({ sessions_ended: z.number().default(1) });

/** One session, or all others. */
type Target = OwnSession | "others";

/** Where one is signed in, and ways to sign those browsers out. */
export function SessionList() {
  const query = useInfiniteQuery({
    queryKey: queryKeys.sessions(),
    initialPageParam: "",
    queryFn: ({ pageParam, signal }) =>
      getJson(`${PATH}${pageParam && `?cursor=${encodeURIComponent(pageParam)}`}`, sessionPage, signal),
    getNextPageParam: (page) => page.next_cursor ?? undefined,
  });
  const [target, setTarget] = useState<Target | null>(null);
  const [isAsking, { open, close }] = useDisclosure();
  const title = useRef<HTMLHeadingElement>(null);
  const ask = (about: Target) => {
    setTarget(about);
    open();
  };
  const rows = query.data?.pages.flatMap((page) => page.data) ?? [];
  const finished = (count: number) => {
    close();
    notifications.show({ message: `${formatCount(count, "browser")} ${count === 1 ? "is" : "are"} signed out.` });
    // The button that opened the dialog is gone with its session.
    title.current?.focus();
  };
  return (
    <Section
      title="Where you are signed in"
      titleRef={title}
      lead="A sign-in lasts seven days at most. If you do not recognize one of these browsers, sign it out and change your password."
      action={
        rows.length > 1 && (
          <Button variant="default" onClick={() => ask("others")}>
            Sign out all others
          </Button>
        )
      }
    >
      {query.isPending && <RowsSkeleton label="Loading where you are signed in" />}
      {query.isError && !query.isFetchNextPageError && (
        <ProblemAlert error={query.error} onRetry={() => void query.refetch()} />
      )}
      {rows.length > 0 && (
        <StackTable caption="Where you are signed in" columns={columns(ask)} rows={rows} rowKey={(row) => row.id} />
      )}
      <LoadMore query={query} />
      <Modal
        opened={isAsking}
        onClose={close}
        title={target === "others" ? "Sign out all other browsers?" : "Sign out this browser?"}
      >
        {target && <Question target={target} onClose={close} onEnded={finished} />}
      </Modal>
    </Section>
  );
}

function columns(onAsk: (session: OwnSession) => void): StackColumn<OwnSession>[] {
  return [
    {
      key: "browser",
      header: "Browser",
      heading: true,
      cell: ({ browser, is_current }) => (
        <Group gap="xs">
          {browser}
          {is_current && <Badge>This browser</Badge>}
        </Group>
      ),
    },
    { key: "address", header: "Network address", cell: ({ address }) => plainAddress(address) },
    { key: "last_used_at", header: "Last used", cell: ({ last_used_at }) => <Ago iso={last_used_at} /> },
    { key: "created_at", header: "Signed in", cell: ({ created_at }) => <Ago iso={created_at} /> },
    {
      key: "actions",
      header: "Sign out",
      cell: (row) =>
        row.is_current ? null : (
          <Button
            variant="default"
            size="xs"
            onClick={() => onAsk(row)}
            aria-label={`Sign out ${row.browser}, ${plainAddress(row.address)}`}
          >
            Sign out
          </Button>
        ),
    },
  ];
}

function Question({
  target,
  onClose,
  onEnded,
}: {
  target: Target;
  onClose: () => void;
  onEnded: (count: number) => void;
}) {
  const queries = useQueryClient();
  const end = useMutation({
    mutationFn: () =>
      target === "others"
        ? sendJson("POST", `${PATH}/end_others`, {}, ended)
        : sendJson("DELETE", `${PATH}/${target.id}`, undefined, ended),
    onSuccess: async ({ sessions_ended }) => {
      await queries.invalidateQueries({ queryKey: queryKeys.sessions() });
      onEnded(sessions_ended);
    },
  });
  return (
    <Stack>
      {end.isError && <ProblemAlert error={end.error} takesFocus />}
      <Text size="sm">
        {target === "others"
          ? "Every browser but this one is"
          : `${target.browser}, ${plainAddress(target.address)}, is`}{" "}
        signed out with its next request. Whoever knows your password can sign in there again.
      </Text>
      <Group justify="flex-end" gap="sm">
        <Button variant="default" onClick={onClose} data-autofocus>
          Cancel
        </Button>
        <Button color="rust" loading={end.isPending} onClick={() => end.mutate()}>
          {target === "others" ? "Sign out all others" : "Sign out"}
        </Button>
      </Group>
    </Stack>
  );
}
