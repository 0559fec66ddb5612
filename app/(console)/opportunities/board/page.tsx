import type { Metadata } from "next";

import { requireSession } from "@/app/session";
import { PipelineBoard } from "@/components/records/board/pipeline-board";

export const metadata: Metadata = { title: "Pipeline" };

export default async function PipelinePage() {
  await requireSession("/opportunities/board");
  return <PipelineBoard />;
}
