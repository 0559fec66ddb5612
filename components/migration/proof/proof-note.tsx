import { Button, Group, Paper, Skeleton, Text } from "@mantine/core";
import { IconAlertTriangle, IconCircleCheck, IconScale } from "@tabler/icons-react";
import type { ReactNode } from "react";

import { differencesIn } from "@/components/migration/proof/differences";
import { useProof, useProve } from "@/components/migration/proof/use-proof";
import { ProblemAlert } from "@/components/ui/feedback/problem-alert";
import { formatCount } from "@/components/ui/text/format";
import { TextLink } from "@/components/ui/text/links";
import { Moment } from "@/components/ui/text/moment";
import type { Migration } from "@/lib/migration/migration-schema";
import type { Proof } from "@/lib/migration/proof/proof-schema";

interface NoteProps {
  migration: Migration;
  proof: Proof | null;
}

/** What the last proof says of a run that has ended, in one line, and the way to it or to a new one. */
export function ProofNote({ migration }: { migration: Migration }) {
  const query = useProof(migration);
  if (query.isPending) return <Skeleton height={62} radius="md" />;
  if (query.isError) return <ProblemAlert error={query.error} onRetry={() => void query.refetch()} />;
  return <Note migration={migration} proof={query.data} />;
}

function Note({ migration: { migration_id: id, connected, run_number: run }, proof }: NoteProps) {
  const prove = useProve(id);
  const isPending = prove.isPending || proof?.status === "pending";
  const isCurrent = proof?.run_number === run && !proof.outdated_by_undo;
  const isWanted = !isCurrent || proof.status !== "done";
  return (
    <>
      {prove.isError && <ProblemAlert error={prove.error} takesFocus />}
      <Paper withBorder px="lg" py="sm" component="section" aria-label="Comparison with Salesforce">
        <Group gap="sm" mih={36} wrap="wrap">
          <ProofIcon proven={isCurrent ? proof.proven : null} />
          <Text flex={1} miw="14rem" component="output">
            {wordsOf(proof, run)}
          </Text>
          {proof !== null && <TextLink href={`/migration/${id}/proof`}>See the comparison</TextLink>}
          {isWanted && (
            <Button variant="default" disabled={!connected} loading={isPending} onClick={() => prove.mutate()}>
              Compare now
            </Button>
          )}
        </Group>
      </Paper>
    </>
  );
}

function ProofIcon({ proven }: { proven: boolean | null }) {
  if (proven === null) return <IconScale size={20} stroke={1.6} aria-hidden />;
  return proven ? (
    <IconCircleCheck size={20} stroke={1.6} color="var(--mantine-color-pine-6)" aria-hidden />
  ) : (
    <IconAlertTriangle size={20} stroke={1.6} color="var(--mantine-color-rust-6)" aria-hidden />
  );
}

function wordsOf(proof: Proof | null, run: number): ReactNode {
  if (proof === null) return "Not compared with Salesforce yet.";
  if (proof.status === "pending")
    return `Comparing with Salesforce: ${formatCount(proof.objects.length, "object")} compared so far.`;
  if (proof.status === "failed") return "The comparison with Salesforce stopped before its end.";
  const result = resultOf(proof);
  if (proof.run_number === run) return result;
  return (
    <>
      The latest run is not compared with Salesforce yet. Run {proof.run_number}: {result}
    </>
  );
}

function resultOf(proof: Proof): ReactNode {
  const moment = (
    <>
      <Moment iso={proof.finished_at ?? proof.requested_at} />
      {proof.outdated_by_undo && ", before an undo"}
    </>
  );
  if (proof.proven && proof.outdated_by_undo)
    return <>Proven on {moment}: everything of Salesforce was here or was left out with a reason.</>;
  if (proof.proven) return <>Proven on {moment}: everything of Salesforce is here or was left out with a reason.</>;
  const differences = differencesIn(proof);
  // Without any, something could not be compared: its page says what.
  if (differences === 0) return <>Not proven on {moment}: not everything could be compared.</>;
  return (
    <>
      {formatCount(differences, "difference")} from Salesforce, found on {moment}.
    </>
  );
}
