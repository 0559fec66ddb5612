import { methods } from "@/app/api/v1/methods";
import { authorizeConnection } from "@/lib/migration/connections/sign-in";

export const dynamic = "force-dynamic";

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: { operation: authorizeConnection, body: true },
});
