import { Checkbox, Code, Stack } from "@mantine/core";

import type { ClientForm } from "@/components/settings/api/form/client-values";
import { type Scope, SCOPE_NAMES } from "@/components/settings/api/scope-names";
import { FieldGroup } from "@/components/ui/form/field-group";
import { SCOPES } from "@/lib/context";
import { describeScopes } from "@/lib/oauth/scopes";

/** What the client may ask people for. With `crm:write` the box of `crm:read` is ticked and cannot be changed. */
export function ScopeFields({ form }: { form: ClientForm }) {
  const { scopes } = form.values;
  const includesRead = scopes.includes("crm:write");
  const ticked = includesRead ? [...new Set<Scope>([...scopes, "crm:read"])] : scopes;
  const toggle = (scope: Scope) => {
    const others = ticked.filter((each) => each !== scope);
    form.setFieldValue("scopes", ticked.includes(scope) ? others : [...others, scope]);
  };
  return (
    <FieldGroup
      label="Scopes"
      help={
        "The most that the client may ask people for, at least one. It cannot be changed later, since people allow " +
        "the client with these scopes."
      }
      error={form.errors["scopes"]}
    >
      <Stack gap="sm">
        {SCOPES.map((scope) => {
          const isIncluded = includesRead && scope === "crm:read";
          return (
            <Checkbox
              key={scope}
              checked={ticked.includes(scope)}
              onChange={() => toggle(scope)}
              disabled={isIncluded}
              label={
                <>
                  {SCOPE_NAMES[scope]} <Code>{scope}</Code>
                </>
              }
              description={isIncluded ? "Included in crm:write." : meaningOf(scope) || undefined}
            />
          );
        })}
      </Stack>
    </FieldGroup>
  );
}

/** What a scope allows beyond its label, in sentences. */
function meaningOf(scope: Scope): string {
  const meanings = describeScopes([scope], "admin");
  const sentences = [...meanings, ...(scope === "crm:write" ? ["Includes crm:read"] : [])];
  return sentences.map((sentence) => `${sentence}.`).join(" ");
}
