"use client";

import { FirstSteps } from "@/components/home/first-steps";
import { OpenTasks } from "@/components/home/open-tasks";
import { RecentChanges } from "@/components/home/recent-changes";
import { RecordCounts } from "@/components/home/record-counts";
import { UnderWay } from "@/components/home/under-way";
import { useRecordCounts } from "@/components/home/use-record-counts";
import { Loaded } from "@/components/ui/feedback/loaded";
import { Page } from "@/components/ui/layout/page";

/** The start page: what is here and what is going on, or what to do first where there is nothing. */
export function Home({ isAdmin, userId }: { isAdmin: boolean; userId: string }) {
  const counts = useRecordCounts();
  const isEmpty = counts.data?.every(({ records }) => records === 0) ?? false;
  return (
    <Page title="Home" lead={isEmpty ? "There are no records here yet." : "What is here, and what is going on."}>
      <UnderWay isAdmin={isAdmin} />
      <Loaded query={counts} loading="Counting the records">
        {(rows) => (isEmpty ? <FirstSteps isAdmin={isAdmin} /> : <RecordCounts counts={rows} />)}
      </Loaded>
      {counts.isSuccess && !isEmpty && (
        <>
          <OpenTasks userId={userId} />
          <RecentChanges />
        </>
      )}
    </Page>
  );
}
