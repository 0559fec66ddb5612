import { addressOf, type SearchParams } from "@/app/page-address";
import { requireSession } from "@/app/session";
import { DeletedRecords } from "@/components/records/deleted/deleted-records";

export const metadata = { title: "Deleted records" };

export default async function DeletedRecordsPage({ searchParams }: { searchParams: SearchParams }) {
  await requireSession(await addressOf("/deleted", searchParams));
  return <DeletedRecords />;
}
