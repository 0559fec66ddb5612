import { methods } from "@/app/api/v1/methods";
import { getSavedViews, putSavedViews } from "@/lib/settings/views/saved-views";

export const dynamic = "force-dynamic";

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: { operation: getSavedViews },
  PUT: { operation: putSavedViews, body: true },
});
