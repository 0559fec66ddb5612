import { methods } from "@/app/api/v1/methods";
import { makePasswordLink } from "@/lib/sessions/members/password-link";

export const dynamic = "force-dynamic";

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = methods({ POST: { operation: makePasswordLink } });
