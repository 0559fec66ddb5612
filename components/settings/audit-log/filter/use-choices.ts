import { useQuery } from "@tanstack/react-query";

import { loadAll } from "@/components/api/load-all";
import { queryKeys } from "@/components/api/query-keys";
import type { AuditEvent } from "@/components/settings/audit-log/audit-event";
import type { AuditFilter } from "@/components/settings/audit-log/filter/filter";
import type { OauthClient } from "@/lib/oauth/clients/client-schema";
import type { Member } from "@/lib/sessions/schemas";

interface Choice {
  value: string;
  label: string;
}

export interface Choices {
  choices: Choice[];
  isError: boolean;
}

/** The people of the organization by name. The chosen one stays in the list after having left. */
export function usePeopleChoices({ who }: AuditFilter, events: readonly AuditEvent[]): Choices {
  const { data, isError } = useQuery({
    queryKey: queryKeys.memberNames(),
    queryFn: ({ signal }) => loadAll<Member>("/settings/members", signal),
  });
  const known = (data ?? []).map(({ user_id, name, email }) => ({ value: user_id, label: `${name} <${email}>` }));
  const emailInLog = events.find(({ user_id }) => user_id === who)?.user_email;
  return { choices: withChosen(known, who, emailInLog ?? (data ? "Somebody who has left" : "…")), isError };
}

/** The API clients by name. The chosen one stays in the list after having been revoked. */
export function useClientChoices({ client: chosen }: AuditFilter, events: readonly AuditEvent[]): Choices {
  const { data, isError } = useQuery({
    queryKey: queryKeys.apiClientNames(),
    queryFn: ({ signal }) => loadAll<OauthClient>("/settings/clients", signal),
  });
  const known = (data ?? []).map(({ id, name }) => ({ value: id, label: name }));
  const nameInLog = events.find(({ client_id }) => client_id === chosen)?.client_name;
  return {
    choices: withChosen(known, chosen, nameInLog ? `${nameInLog} (revoked)` : data ? "A revoked API client" : "…"),
    isError,
  };
}

function withChosen(known: Choice[], chosen: string, label: string): Choice[] {
  const sorted = known.toSorted((a, b) => a.label.localeCompare(b.label));
  return chosen === "" || known.some(({ value }) => value === chosen) ? sorted : [...sorted, { value: chosen, label }];
}
