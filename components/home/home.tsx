"use client";

import { SimpleGrid } from "@mantine/core";

import { FirstSteps } from "@/components/home/first-steps";
import { MyOpenCases, MyOpenTasks } from "@/components/home/my-open-records";
import { RecentChanges } from "@/components/home/recent-changes";
import { RecordCounts } from "@/components/home/record-counts";
import { UnderWay } from "@/components/home/under-way";
import { useRecordCounts } from "@/components/home/use-record-counts";
import { Loaded } from "@/components/ui/feedback/loaded";
import { Page } from "@/components/ui/layout/page";

/** The start page: what is here and what is going on, or what to do first where there is nothing. */
export function Home({ isAdmin }: { isAdmin: boolean }) {
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
          <SimpleGrid cols={{ base: 1, md: 2 }}>
            <MyOpenTasks />
            <MyOpenCases />
          </SimpleGrid>
          <RecentChanges />
        </>
      )}
    </Page>
  );
}
