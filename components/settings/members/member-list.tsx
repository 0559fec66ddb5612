"use client";

import { Button } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useMemo, useState } from "react";

import { ProblemAlert } from "@/components/ui/feedback/problem-alert";
import { RowsSkeleton } from "@/components/ui/feedback/rows-skeleton";
import { Page } from "@/components/ui/layout/page";
import { PagedTable } from "@/components/ui/layout/paged-table";
import { AddMember } from "@/components/settings/members/add-member";
import { memberColumns } from "@/components/settings/members/member-columns";
import { type Asked, MemberDialog } from "@/components/settings/members/member-dialog";
import { useMembers } from "@/components/settings/members/use-members";

/**
 * Everybody of the organization: who may do what, who is signed in, and how to change either. `selfId` is the reader's
 * user id.
 */
export function MemberList({ selfId }: { selfId: string }) {
  const query = useMembers();
  const [asked, setAsked] = useState<Asked | null>(null);
  const [isAsking, { open: ask, close: closeQuestion }] = useDisclosure();
  const [isAdding, { open: add, close: closeAdding }] = useDisclosure();
  const columns = useMemo(
    () =>
      memberColumns(selfId, (about) => {
        setAsked(about);
        ask();
      }),
    [selfId, ask],
  );
  const rows = query.data?.pages.flatMap((page) => page.data) ?? [];
  return (
    <Page
      title="Members"
      lead="The people of this organization. All of them see all records; admins also manage the settings."
      actions={<Button onClick={add}>Add a member</Button>}
    >
      {query.isPending && <RowsSkeleton label="Loading members" />}
      {query.isError && !query.isFetchNextPageError && (
        <ProblemAlert error={query.error} onRetry={() => void query.refetch()} />
      )}
      {rows.length > 0 && (
        <PagedTable
          hasMany
          caption="Members"
          columns={columns}
          rows={rows}
          rowKey={(row) => row.user_id}
          query={query}
        />
      )}
      <MemberDialog opened={isAsking} asked={asked} onClose={closeQuestion} />
      <AddMember opened={isAdding} onClose={closeAdding} />
    </Page>
  );
}
