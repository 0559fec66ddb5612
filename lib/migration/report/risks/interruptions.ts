import { formatCount, formatNumber } from "@/lib/amounts";
import type { RiskCheck } from "@/lib/migration/report/facts";

/** Above this share of the remaining API requests other programs may be affected. */
const LARGE_SHARE = 0.5;

/** Access tokens of a session commonly expire after two hours without use, or at the end of the working day. */
const LONG_SECONDS = 3600;

/** Whether the org has enough API requests left. If not, a run takes longer and is still complete: never blocking. */
export const apiBudget: RiskCheck = ({ estimate }) => {
  const { api_calls: needed, api_calls_remaining: remaining } = estimate;
  if (remaining === null || needed < remaining * LARGE_SHARE) return [];
  return [
    {
      severity: "warning",
      code: "api_limit",
      object: null,
      count: null,
      title:
        needed <= remaining
          ? "The migration takes a large part of the API requests that were left"
          : "The migration needs more API requests than were left",
      detail:
        `It needs about ${formatCount(needed, "API request")}; when it was analyzed, the org had ` +
        `${formatNumber(remaining)} left of the last 24 hours. When they run out, the migration waits until ` +
        "the org has some again, and goes on by itself where it stopped. Other programs that use the org have none " +
        "meanwhile.",
      recommended_action:
        "Nothing, if the migration may take longer. Requests become free again 24 hours after they were made, so it " +
        "takes less time if it starts when more are free. If other programs need some, limit the API requests of the " +
        "migration when you configure.",
    },
  ];
};

/** A long run, or one that has to wait for API requests, with an access token that cannot be renewed. */
export const shortLivedToken: RiskCheck = ({ renewable, canSignIn, estimate }) => {
  const { seconds, api_calls: needed, api_calls_remaining: remaining } = estimate;
  const mustWait = remaining !== null && needed > remaining;
  if (renewable || (seconds < LONG_SECONDS && !mustWait)) return [];
  return [
    {
      severity: "warning",
      code: "token_may_expire",
      object: null,
      count: null,
      title: "The access token may expire during the migration",
      detail:
        `The migration will ${mustWait ? "wait for API requests" : "take more than an hour"}, and this connection ` +
        "cannot renew its access token. If it expires, the migration pauses. It goes on where it stopped once the " +
        "org is connected again.",
      recommended_action:
        (canSignIn
          ? "Connect by “Sign in at Salesforce”: such a connection renews itself. Or start with a new access token, "
          : "Start with a new access token, ") +
        "and connect again as the same Salesforce user if the migration pauses.",
    },
  ];
};
