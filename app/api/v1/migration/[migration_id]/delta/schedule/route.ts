import { methods } from "@/app/api/v1/methods";
import { scheduleDeltas, unscheduleDeltas } from "@/lib/migration/runs/delta-schedule";

export const dynamic = "force-dynamic";

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  PUT: { operation: scheduleDeltas, body: true },
  DELETE: { operation: unscheduleDeltas },
});
