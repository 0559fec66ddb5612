import { methods } from "@/app/api/v1/methods";
import { listEvents } from "@/lib/records/events/list-events";

export const dynamic = "force-dynamic";

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = methods({ GET: { operation: listEvents } });
