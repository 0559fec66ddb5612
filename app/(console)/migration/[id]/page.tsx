import { requireSession } from "@/app/session";

export const metadata = { title: "Migration" };

/** Shows nothing itself: the frame redirects to the step that the migration's status opens. */
export default async function MigrationPage({ params }: { params: Promise<{ id: string }> }) {
  const { id } = await params;
  await requireSession(`/migration/${id}`);
  return null;
}
