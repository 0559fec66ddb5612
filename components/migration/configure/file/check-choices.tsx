import { Alert, NativeSelect, Paper, Stack, Text, Title } from "@mantine/core";
import { IconAlertTriangle, IconCheck } from "@tabler/icons-react";
import { useState } from "react";

import { queryKeys } from "@/components/api/query-keys";
import { useList } from "@/components/api/use-list";
import { useEditing } from "@/components/migration/configure/draft/use-draft";
import { Faults } from "@/components/migration/configure/file/faults";
import { SavedNote } from "@/components/migration/configure/saved-note";
import { useCheck } from "@/components/migration/configure/use-dependent";
import { Loaded } from "@/components/ui/feedback/loaded";
import { formatMoment } from "@/components/ui/text/format";
import type { CheckedChoices } from "@/lib/migration/configuration/exported-schema";
import type { Migration } from "@/lib/migration/migration-schema";

/** Compares the saved choices with an analysis of the org, which may have changed since. */
export function CheckChoices() {
  const { migration } = useEditing();
  const [reportOf, setReportOf] = useState(migration.migration_id);
  const check = useCheck(migration.migration_id, reportOf);
  const others = useOtherAnalyses();
  return (
    <Paper withBorder p="lg" component="section">
      <Title order={3}>Check</Title>
      <Text size="sm" c="dimmed" mb="sm">
        Whether the org still has every field, value and object that the saved choices name. Analyze the org again to
        check against its newest state.
      </Text>
      <Stack gap="sm">
        <NativeSelect
          label="Analysis to check against"
          maw={360}
          value={reportOf}
          onChange={(event) => setReportOf(event.currentTarget.value)}
        >
          <option value={migration.migration_id}>This migration</option>
          {others.map(({ migration_id: id, org_name: name, created_at: created }) => (
            <option key={id} value={id}>{`${name ?? "Salesforce org"}, ${formatMoment(created)}`}</option>
          ))}
        </NativeSelect>
        <SavedNote />
        <Loaded query={check} loading="Checking the choices">
          {(checked) => <Checked checked={checked} />}
        </Loaded>
      </Stack>
    </Paper>
  );
}

/** The other migrations that have a report. */
function useOtherAnalyses() {
  const { migration } = useEditing();
  const { data = [] } = useList<Migration>({
    queryKey: queryKeys.migrations(),
    path: "/migration",
  });
  return data.filter(
    ({ migration_id: id, status }) =>
      id !== migration.migration_id && status !== "analyzing" && status !== "analysis_failed",
  );
}

function Checked({ checked }: { checked: CheckedChoices }) {
  const { void: gone, impossible, warnings, same_org: isSameOrg } = checked;
  const faults = [...gone, ...impossible];
  return (
    <Stack gap="sm">
      {isSameOrg === false && <Alert color="amber">That analysis is of another Salesforce org.</Alert>}
      {faults.length === 0 ? (
        <Alert color="pine" icon={<IconCheck aria-hidden />} title="Every choice is possible" />
      ) : (
        <Alert color="rust" icon={<IconAlertTriangle aria-hidden />} title="Some choices are no longer possible">
          <Faults faults={faults} />
        </Alert>
      )}
      {warnings.length > 0 && (
        <Alert color="amber" icon={<IconAlertTriangle aria-hidden />} title="Possible, and seldom meant">
          <Faults faults={warnings} />
        </Alert>
      )}
    </Stack>
  );
}
