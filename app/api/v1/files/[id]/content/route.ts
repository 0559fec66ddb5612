import { methods } from "@/app/api/v1/methods";
import { downloadFile } from "@/lib/files/read-files";

export const dynamic = "force-dynamic";

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = methods({ GET: { operation: downloadFile } });
