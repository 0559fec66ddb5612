import { Paper, Text, Title } from "@mantine/core";

import { queryKeys } from "@/components/api/query-keys";
import { SHORT_PAGE, useList } from "@/components/api/use-list";
import classes from "@/components/records/history/stage-history.module.css";
import { ReferenceName } from "@/components/records/reference-link";
import { Loaded } from "@/components/ui/feedback/loaded";
import { LoadMore } from "@/components/ui/layout/load-more";
import { inWords } from "@/components/ui/text/format";
import { Moment } from "@/components/ui/text/moment";

interface StageChange {
  id: string;
  from_stage: string | null;
  to_stage: string;
  changed_at: string;
  changed_by_id: string;
}

/** The stages that an opportunity went through, the newest first. */
export function StageHistory({ id }: { id: string }) {
  const query = useList<StageChange>({
    queryKey: queryKeys.stageChanges(id),
    path: `/opportunities/${id}/stage_changes?limit=${SHORT_PAGE}`,
  });
  return (
    <Paper withBorder p="lg" component="section" aria-labelledby="stages">
      <Title order={2} size="h3" id="stages" mb="md">
        Stages
      </Title>
      <Loaded query={query} loading="Loading the stages" empty="No change of stage is known.">
        {(changes) => (
          <>
            <ol className={classes.list}>
              {changes.map((change) => (
                <Change key={change.id} change={change} />
              ))}
            </ol>
            <LoadMore query={query} end={null} />
          </>
        )}
      </Loaded>
    </Paper>
  );
}

function Change({ change }: { change: StageChange }) {
  const { from_stage: from, to_stage: to, changed_at: at, changed_by_id: userId } = change;
  return (
    <li>
      <Text size="sm">
        {from === null ? "Created in " : `${inWords(from)} → `}
        <b>{inWords(to)}</b>
      </Text>
      <Text size="xs" c="dimmed">
        <Moment iso={at} />, by <ReferenceName target="users" id={userId} />
      </Text>
    </li>
  );
}
