import { methods } from "@/app/api/v1/methods";
import { escalateCase } from "@/lib/records/escalate-case";

export const dynamic = "force-dynamic";

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = methods({ POST: { operation: escalateCase, body: true } });
