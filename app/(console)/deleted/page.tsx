import { requireSession } from "@/app/session";
import { DeletedRecords } from "@/components/records/deleted/deleted-records";

export const metadata = { title: "Deleted records" };

export default async function DeletedRecordsPage() {
  await requireSession("/deleted");
  return <DeletedRecords />;
}
