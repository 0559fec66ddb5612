"use client";

import { Button, Stack, Text, Title } from "@mantine/core";
import { IconScale } from "@tabler/icons-react";

import { FailureAlert } from "@/components/migration/failure-alert";
import { ObjectProofs } from "@/components/migration/proof/object-proofs";
import { useProof, useProve } from "@/components/migration/proof/use-proof";
import { Verdict } from "@/components/migration/proof/verdict";
import { useMigration } from "@/components/migration/use-migration";
import { isUnderWay, STATUSES } from "@/components/migration/wizard/migration-statuses";
import { StepFooter } from "@/components/migration/wizard/step-footer";
import { EmptyList } from "@/components/ui/feedback/empty-list";
import { ProblemAlert } from "@/components/ui/feedback/problem-alert";
import { RowsSkeleton } from "@/components/ui/feedback/rows-skeleton";
import { PrintButton } from "@/components/ui/layout/print-button";
import { Fact, Facts } from "@/components/ui/layout/facts";
import { formatMoment } from "@/components/ui/text/format";
import { LinkButton } from "@/components/ui/text/links";
import type { Migration } from "@/lib/migration/migration-schema";
import { objectName } from "@/lib/migration/objects/source-object-names";
import type { Proof } from "@/lib/migration/proof/proof-schema";

const WHAT_IT_IS =
  "It reads the ids of every migrated object from Salesforce once more and looks each of them up here. It also " +
  "compares links, amounts and picklist values. Nothing is changed, here or in Salesforce.";

/** The proof of a migration, to look at and to print. */
export function ProofPage({ id }: { id: string }) {
  const { data } = useMigration(id);
  return data && <LoadedPage migration={data} />;
}

function LoadedPage({ migration }: { migration: Migration }) {
  const { migration_id: id } = migration;
  const query = useProof(migration);
  const prove = useProve(id);
  const obstacle = obstacleOf(migration);
  if (query.isPending) return <RowsSkeleton label="Loading the proof" />;
  if (query.isError) return <ProblemAlert error={query.error} onRetry={() => void query.refetch()} />;
  const proof = query.data;
  return (
    <Stack gap="xl">
      {proof ? <ProofContent proof={proof} migration={migration} /> : <NoProof />}
      {prove.isError && <ProblemAlert error={prove.error} takesFocus />}
      {obstacle && (
        <Text size="sm" c="dimmed">
          {obstacle}
        </Text>
      )}
      <StepFooter
        promisesNothingWritten={false}
        back={
          <>
            <WayBack migration={migration} />
            {proof?.status === "done" && <PrintButton />}
          </>
        }
        next={
          <CompareButton
            isFirst={proof === null}
            isPossible={obstacle === null}
            isRunning={prove.isPending || proof?.status === "pending"}
            onCompare={() => prove.mutate()}
          />
        }
      />
    </Stack>
  );
}

/** Why a migration cannot be compared now; null if it can. */
function obstacleOf({ status, connected }: Migration): string | null {
  if (status === "undone") return "The migration was undone, so there is nothing left to compare.";
  if (status === "paused")
    return "The migration is paused in the middle of a run. It can be compared once the run has ended.";
  if (STATUSES[status].isLive) return "It can be compared once the migration has come to its end.";
  if (connected) return null;
  return (
    "The Salesforce org is disconnected. To compare this migration, connect the org again as the same Salesforce " +
    "user."
  );
}

function WayBack({ migration: { migration_id: id, status } }: { migration: Migration }) {
  return (
    <LinkButton href={`/migration/${id}/migrate`} variant="default">
      {isUnderWay(status) ? "Back to the progress" : "Back to the outcome"}
    </LinkButton>
  );
}

interface CompareButtonProps {
  isFirst: boolean;
  isPossible: boolean;
  isRunning: boolean;
  onCompare: () => void;
}

function CompareButton({ isFirst, isPossible, isRunning, onCompare }: CompareButtonProps) {
  return (
    <Button variant={isFirst ? "filled" : "default"} disabled={!isPossible} loading={isRunning} onClick={onCompare}>
      {isFirst ? "Compare with Salesforce" : "Compare again"}
    </Button>
  );
}

function NoProof() {
  return <EmptyList icon={IconScale} title="Nothing has been compared yet" description={WHAT_IT_IS} />;
}

function ProofContent({ proof, migration }: { proof: Proof; migration: Migration }) {
  if (proof.status === "failed")
    return <FailureAlert title="The comparison stopped" failure={proof.failure} migration={migration} />;
  return (
    <>
      <Verdict proof={proof} />
      <Facts>
        <Fact label="Salesforce org">{[proof.org_name, proof.org_id].filter(Boolean).join(", ") || "unknown"}</Fact>
        <Fact label="Read as">{proof.username ?? "unknown"}</Fact>
        <Fact label="Run">{`Number ${proof.run_number}`}</Fact>
        <Fact label="Compares what was created before">
          {proof.read_until ? formatMoment(proof.read_until) : "unknown"}
        </Fact>
        <Fact label="Compared">{formatMoment(proof.finished_at ?? proof.requested_at)}</Fact>
      </Facts>
      <NotRead objects={proof.not_read} />
      <ObjectProofs objects={proof.objects} />
      {proof.objects.length > 0 && <HowToCheck />}
    </>
  );
}

/** What is in no table, because there is nothing to compare. */
function NotRead({ objects }: { objects: Proof["not_read"] }) {
  if (objects.length === 0) return null;
  return (
    <Text>
      Not compared, because the run ended before it had read them to their end: {objects.map(objectName).join(", ")}.
      Run the migration again, then compare again.
    </Text>
  );
}

function HowToCheck() {
  return (
    <section>
      <Title order={2}>How to check this yourself</Title>
      <Text size="sm" c="dimmed" maw="42rem">
        The fingerprint of an object is the SHA-256 of its 18-character ids, sorted by bytes, each followed by a line
        feed. Export the ids from Salesforce with its query above, deleted and archived records included, sort them
        (LC_ALL=C sort) and compute it (sha256sum). It equals the first fingerprint; if nothing is missing, both are
        equal. The same figures are available as JSON from the API.
      </Text>
    </section>
  );
}
