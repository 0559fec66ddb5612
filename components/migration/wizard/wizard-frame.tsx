"use client";

import { Group } from "@mantine/core";
import { useRouter, useSelectedLayoutSegment } from "next/navigation";
import { type ReactNode, useEffect } from "react";

import { CanSignInContext } from "@/components/migration/connect/use-sign-in";
import { AccessDialog, GiveAccess } from "@/components/migration/control/give-access";
import { ProblemAlert } from "@/components/ui/feedback/problem-alert";
import { RowsSkeleton } from "@/components/ui/feedback/rows-skeleton";
import { Page } from "@/components/ui/layout/page";
import { isOpen, STATUSES, STEPS } from "@/components/migration/wizard/migration-statuses";
import { StatusBadge } from "@/components/migration/wizard/status-badge";
import { useMigration } from "@/components/migration/use-migration";
import { WizardSteps } from "@/components/migration/wizard/wizard-steps";
import type { Migration } from "@/lib/migration/migration-schema";

const PARENT = { href: "/migration", name: "Migrations" };

interface WizardFrameProps {
  id: string;
  canSignIn: boolean;
  children: ReactNode;
}

/** The frame around every step of a migration. */
export function WizardFrame({ id, canSignIn, children }: WizardFrameProps) {
  const query = useMigration(id);
  const problem = query.isError && (
    <ProblemAlert
      error={query.error}
      onRetry={() => void query.refetch()}
      list={{ href: "/migration", name: "All migrations" }}
    />
  );
  if (!query.data) {
    return (
      <Page title="Migration" parent={PARENT}>
        {problem || <RowsSkeleton label="Loading the migration" />}
      </Page>
    );
  }
  return (
    <CanSignInContext value={canSignIn}>
      <AccessDialog migration={query.data}>
        <MigrationFrame migration={query.data}>
          {problem}
          {children}
        </MigrationFrame>
      </AccessDialog>
    </CanSignInContext>
  );
}

/** Redirects to the step of the present status if the requested step is not open. */
function MigrationFrame({ migration, children }: { migration: Migration; children: ReactNode }) {
  const { migration_id: id, status } = migration;
  const segment = useSelectedLayoutSegment();
  const router = useRouter();
  const step = STEPS.find((name) => name === segment && isOpen(name, status));
  // A run may start by itself while somebody reads or prints it.
  const isProof = segment === "proof" && migration.run_number > 0;

  useEffect(() => {
    if (!step && !isProof) router.replace(`/migration/${id}/${STATUSES[status].step}`);
  }, [router, id, status, step, isProof]);

  return (
    <Page
      title={migration.org_name ?? "Salesforce org"}
      lead={leadOf(migration)}
      parent={PARENT}
      actions={
        <Group gap="sm">
          <GiveAccess migration={migration} variant="default" size="xs" />
          {/* Screen readers tell how it goes on, and that it has ended. */}
          <output>
            <StatusBadge status={status} />
          </output>
        </Group>
      }
    >
      {step && (
        <WizardSteps
          current={step}
          reached={STATUSES[status].step}
          isFinished={STATUSES[status].isFinished}
          hrefOf={(other) => (isOpen(other, status) ? `/migration/${id}/${other}` : null)}
        />
      )}
      {step || isProof ? children : <RowsSkeleton label="Loading the migration" />}
    </Page>
  );
}

/** Which org it is, and as whom it is read. */
function leadOf({ ext_instance_url: url, connected_as: username }: Migration): string {
  const host = url.replace(/^https?:\/\//, "");
  return username === null ? host : `${host}, read as ${username}`;
}
