import { IDS } from "@/lib/http/openapi/examples/records";

export const FILE_EXAMPLE = {
  id: IDS.cursor,
  created_at: "2024-11-08T07:30:00.000Z",
  ext_id: "00P5g000004Xf1zEAC",
  resource: "cases",
  record_id: IDS.case,
  name: "pump-log.txt",
  content_type: "text/plain",
  size: 5120,
  sha256: "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
};
