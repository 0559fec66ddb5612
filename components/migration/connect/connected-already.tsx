import { Alert, Box, Button, Text } from "@mantine/core";
import { IconPlugConnected } from "@tabler/icons-react";

import { queryKeys } from "@/components/api/query-keys";
import { useList } from "@/components/api/use-list";
import { RefusalHelp } from "@/components/migration/connect/refusal-help";
import { useAnalyze } from "@/components/migration/connect/use-analyze";
import { ProblemAlert } from "@/components/ui/feedback/problem-alert";
import type { Connection } from "@/lib/migration/connections/connection-schema";

/** Offers to analyze an org by the access that is there already. Shows nothing while there is none. */
export function ConnectedAlready({ instanceUrl }: { instanceUrl: string }) {
  const query = useList<Connection>({ queryKey: queryKeys.connections(), path: "/migration/connections" });
  const analyze = useAnalyze();
  const org = query.data?.find(({ ext_instance_url: url }) => url === instanceUrl);
  if (!org) return null;
  return (
    <Box mb="lg">
      {analyze.isError && (
        <ProblemAlert error={analyze.error} takesFocus>
          <RefusalHelp error={analyze.error} instanceUrl={instanceUrl} />
        </ProblemAlert>
      )}
      <Alert color="sky" title="This org is connected already" icon={<IconPlugConnected aria-hidden />}>
        <Text size="sm">
          It is read as {org.username ?? "the Salesforce user who connected it"}. To read it as another user, or with a
          new token, connect it again below.
        </Text>
        <Button
          mt="md"
          loading={analyze.isPending || analyze.isSuccess}
          onClick={() => analyze.mutate({ connection_id: org.connection_id })}
        >
          Analyze by this connection
        </Button>
      </Alert>
    </Box>
  );
}
