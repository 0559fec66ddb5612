"use client";

import { Button } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconUsers } from "@tabler/icons-react";
import { useState } from "react";

import { AddMember } from "@/components/settings/members/add-member";
import { memberColumns } from "@/components/settings/members/member-columns";
import { type MemberQuestion, MemberDialog } from "@/components/settings/members/member-dialog";
import { MemberSearch } from "@/components/settings/members/member-search";
import { useMembers } from "@/components/settings/members/use-members";
import { SETTINGS } from "@/components/settings/settings-links";
import { EmptyList } from "@/components/ui/feedback/empty-list";
import { Loaded } from "@/components/ui/feedback/loaded";
import { LoadedCount } from "@/components/ui/feedback/loaded-count";
import { TableSkeleton } from "@/components/ui/feedback/shaped-skeletons";
import { useDialog } from "@/components/ui/overlay/use-dialog";
import { Page } from "@/components/ui/layout/page";
import { PagedTable } from "@/components/ui/layout/paged-table";
import { formatCount } from "@/components/ui/text/format";

/** From here on, finding somebody takes a search. */
const MANY = 8;

/** Everybody of the organization: who may do what, and who is signed in. `selfId` is the reader's user id. */
export function MemberList({ selfId }: { selfId: string }) {
  const [q, setQ] = useState("");
  const query = useMembers(q);
  const isSearchable = q !== "" || (query.data?.length ?? 0) >= MANY;
  const question = useDialog<MemberQuestion>();
  const [isAdding, { open: add, close: closeAdding }] = useDisclosure();
  return (
    <Page
      title="Members"
      parent={SETTINGS}
      lead="The people of this organization. All of them see all records; admins also manage the settings."
      actions={<Button onClick={add}>Add a member</Button>}
    >
      {isSearchable && <MemberSearch onSearch={setQ} />}
      <LoadedCount query={query} format={(count) => formatCount(count, "member")} />
      <Loaded query={query} loading="Loading members" skeleton={TableSkeleton} empty={<NobodyFound />}>
        {(rows) => (
          <PagedTable
            hasMany
            caption="Members"
            columns={memberColumns(selfId, question.open)}
            rows={rows}
            rowKey={(row) => row.user_id}
            query={query}
          />
        )}
      </Loaded>
      <MemberDialog opened={question.isOpen} question={question.subject} onClose={question.close} />
      <AddMember opened={isAdding} onClose={closeAdding} />
    </Page>
  );
}

function NobodyFound() {
  return (
    <EmptyList
      icon={IconUsers}
      title="Nobody is called like that"
      description="The search looks at names and e-mail addresses."
    />
  );
}
