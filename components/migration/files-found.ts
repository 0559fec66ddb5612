import { formatBytes, formatCount } from "@/components/ui/text/format";
import type { Report } from "@/lib/migration/report/report-schema";

/** The files of the org: "412 files, 96.2 MB"; without their size if Salesforce did not tell it. */
export function filesFound({ count, bytes }: NonNullable<Report["estimate"]["files"]>): string {
  return [formatCount(count, "file"), ...(bytes === null ? [] : [formatBytes(bytes)])].join(", ");
}
