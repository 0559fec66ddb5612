"use client";

import { useRouter } from "next/navigation";
import { useEffect, useState } from "react";

import { AnalysisDone } from "@/components/migration/analyze/analysis-done";
import { AnalysisFailed } from "@/components/migration/analyze/analysis-failed";
import { AnalysisRunning } from "@/components/migration/analyze/analysis-running";
import { useMigration } from "@/components/migration/use-migration";

/** Step two: shows the analysis, and opens the report if it finishes while the page is open. */
export function AnalyzeStep({ id }: { id: string }) {
  const { data } = useMigration(id);
  const router = useRouter();
  const [wasRunning] = useState(data?.status === "analyzing");
  const isDone = data !== undefined && data.status !== "analyzing" && data.status !== "analysis_failed";

  useEffect(() => {
    if (wasRunning && isDone) router.replace(`/migration/${id}/report`);
  }, [router, id, wasRunning, isDone]);

  if (!data) return null;
  if (data.status === "analyzing") return <AnalysisRunning id={id} waiting={data.waiting} />;
  if (data.status === "analysis_failed") return <AnalysisFailed migration={data} />;
  return <AnalysisDone migration={data} />;
}
