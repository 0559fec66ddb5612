import { Code, Text } from "@mantine/core";

import classes from "@/components/settings/api/plain-list.module.css";
import type { OauthClient } from "@/lib/oauth/clients/client-schema";

export type Scope = OauthClient["scopes"][number];

/** Each scope in a few words; `describeScopes` says it in full. */
export const SCOPE_NAMES: Record<Scope, string> = {
  "crm:read": "Read records",
  "crm:write": "Read and change records",
  "erp:read": "Read the product catalog",
};

/** The scopes of a client in words, each with its name. */
export function ScopeNames({ scopes }: { scopes: readonly Scope[] }) {
  return (
    <ul className={classes.list}>
      {scopes.map((scope) => (
        <li key={scope}>
          <Text span inherit>
            {SCOPE_NAMES[scope]}
          </Text>{" "}
          <Code>{scope}</Code>
        </li>
      ))}
    </ul>
  );
}
