"use client";

import { Button } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";

import { AddMember } from "@/components/settings/members/add-member";
import { memberColumns } from "@/components/settings/members/member-columns";
import { type MemberQuestion, MemberDialog } from "@/components/settings/members/member-dialog";
import { useMembers } from "@/components/settings/members/use-members";
import { Loaded } from "@/components/ui/feedback/loaded";
import { useDialog } from "@/components/ui/form/use-dialog";
import { Page } from "@/components/ui/layout/page";
import { PagedTable } from "@/components/ui/layout/paged-table";

/** Everybody of the organization: who may do what, and who is signed in. `selfId` is the reader's user id. */
export function MemberList({ selfId }: { selfId: string }) {
  const query = useMembers();
  const question = useDialog<MemberQuestion>();
  const [isAdding, { open: add, close: closeAdding }] = useDisclosure();
  return (
    <Page
      title="Members"
      lead="The people of this organization. All of them see all records; admins also manage the settings."
      actions={<Button onClick={add}>Add a member</Button>}
    >
      <Loaded query={query} loading="Loading members">
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
