import { requireSession } from "@/app/session";
import { ProofPage } from "@/components/migration/proof/proof-page";

export const metadata = { title: "Proof" };

export default async function MigrationProofPage({ params }: { params: Promise<{ id: string }> }) {
  const { id } = await params;
  await requireSession(`/migration/${id}/proof`);
  return <ProofPage id={id} />;
}
