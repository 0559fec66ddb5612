import { type AnyRecord, textOf } from "@/components/records/record";
import { ReferenceName } from "@/components/records/reference-link";

/** Who wrote an entry of a thread: by the name that the entry has, or the member who wrote it here. */
export function Author({ entry }: { entry: AnyRecord }) {
  const [name, memberId] = [textOf(entry, "author_name"), textOf(entry, "author_id")];
  if (name === "" && memberId !== "") return <ReferenceName target="users" id={memberId} />;
  return name || "Unknown author";
}
