import { Paper } from "@mantine/core";

import { useEditing } from "@/components/migration/configure/draft/use-draft";
import { needsOf } from "@/components/migration/needs";
import { NeedsFacts } from "@/components/migration/needs-facts";
import { Fact } from "@/components/ui/layout/facts";
import { formatNumber } from "@/components/ui/text/format";

/** What a run of the selected objects takes, while they are being selected. */
export function Estimate() {
  const { report, draft } = useEditing();
  const needs = needsOf(report, draft);
  return (
    <Paper withBorder p="lg">
      <NeedsFacts report={report} needs={needs}>
        <Fact label="Records to read">{formatNumber(needs.records)}</Fact>
      </NeedsFacts>
    </Paper>
  );
}
