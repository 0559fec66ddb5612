import { methods } from "@/app/api/v1/methods";
import { getUser } from "@/lib/sessions/people/users";

export const dynamic = "force-dynamic";

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = methods({ GET: { operation: getUser } });
