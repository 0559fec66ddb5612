import type { RiskCheck } from "@/lib/migration/report/facts";
import { counted } from "@/lib/migration/report/wording";

/** Above this share of the remaining API requests other programs may be affected. */
const LARGE_SHARE = 0.5;

/** Access tokens of a session commonly expire after two hours without use, or at the end of the working day. */
const LONG_SECONDS = 3600;

/** Whether the org has enough API requests left. */
export const apiBudget: RiskCheck = ({ estimate }) => {
  const { api_calls: needed, api_calls_remaining: remaining } = estimate;
  if (remaining === null || needed < remaining * LARGE_SHARE) return [];
  const enough = needed <= remaining;
  return [
    {
      severity: enough ? "warning" : "blocking",
      code: "api_limit",
      object: null,
      count: null,
      title: enough
        ? "The migration takes a large part of today's API requests"
        : "Today's API requests do not suffice",
      detail:
        `It needs about ${counted(needed, "API request")}; the org has ${remaining.toLocaleString("en")} left of the ` +
        "last 24 hours. When they run out, the migration stops. What was imported stays, but the next run reads " +
        "everything once more.",
      recommended_action:
        "Start when enough are free and other programs need few: requests become free again 24 hours after they " +
        "were made. Or deselect objects when you configure, and migrate those on another day.",
    },
  ];
};

/** A long run with an access token that cannot be renewed. */
export const shortLivedToken: RiskCheck = ({ renewable, estimate }) => {
  if (renewable || estimate.seconds < LONG_SECONDS) return [];
  return [
    {
      severity: "warning",
      code: "token_may_expire",
      object: null,
      count: null,
      title: "The access token may expire during the migration",
      detail: "The migration will take more than an hour, and this connection cannot renew its access token.",
      recommended_action:
        "Start with a new access token. If it expires nevertheless, connect again with another and run the migration " +
        "again: nothing is imported twice. A connection made by “Sign in at Salesforce” renews itself.",
    },
  ];
};
