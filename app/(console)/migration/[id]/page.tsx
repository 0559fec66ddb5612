import { requireSession } from "@/app/session";

export const metadata = { title: "Migration" };

/** Has nothing of its own: the frame leads to the step that the migration's state opens. */
export default async function MigrationPage({ params }: { params: Promise<{ id: string }> }) {
  const { id } = await params;
  await requireSession(`/migration/${id}`);
  return null;
}
