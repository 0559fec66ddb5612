"use client";

import { Button } from "@mantine/core";
import { notifications } from "@mantine/notifications";

import { queryKeys } from "@/components/api/query-keys";
import { useList } from "@/components/api/use-list";
import { EndSessions, type SessionTarget } from "@/components/settings/account/end-sessions";
import { sessionColumns } from "@/components/settings/account/session-columns";
import { Loaded } from "@/components/ui/feedback/loaded";
import { useDialog } from "@/components/ui/overlay/use-dialog";
import { LoadMore } from "@/components/ui/layout/load-more";
import { Section } from "@/components/ui/layout/section";
import { StackTable } from "@/components/ui/layout/stack-table";
import { formatCount } from "@/components/ui/text/format";
import type { OwnSession } from "@/lib/sessions/schemas";

/** The browsers in which the reader is signed in, with buttons that sign them out. */
export function SessionList() {
  const query = useList<OwnSession>({ queryKey: queryKeys.sessions(), path: "/settings/sessions" });
  const ending = useDialog<SessionTarget>();
  const ended = (count: number) => {
    ending.close();
    notifications.show({ message: `${formatCount(count, "browser")} ${count === 1 ? "is" : "are"} signed out.` });
  };
  const hasOthers = (query.data?.length ?? 0) > 1;
  return (
    <Section
      title="Where you are signed in"
      lead={
        "A sign-in lasts seven days at most. If you do not recognize one of these browsers, sign it out and change " +
        "your password."
      }
      action={
        hasOthers && (
          <Button variant="default" onClick={() => ending.open("others")}>
            Sign out all others
          </Button>
        )
      }
    >
      <Loaded query={query} loading="Loading where you are signed in">
        {(rows) => (
          <StackTable
            caption="Where you are signed in"
            columns={sessionColumns(ending.open)}
            rows={rows}
            rowKey={(row) => row.id}
          />
        )}
      </Loaded>
      <LoadMore query={query} />
      <EndSessions opened={ending.isOpen} target={ending.subject} onClose={ending.close} onEnded={ended} />
    </Section>
  );
}
