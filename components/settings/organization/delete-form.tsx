import { Anchor, List, PasswordInput, Text } from "@mantine/core";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";

import { faultsByField } from "@/components/api/problem";
import { sendJson } from "@/components/api/request";
import { deletionQuery, exportAddress, ORGANIZATION_PATH } from "@/components/settings/organization/use-organization";
import { Loaded } from "@/components/ui/feedback/loaded";
import { ConfirmByTyping } from "@/components/ui/form/confirm";
import { formatCount, formatNumber } from "@/components/ui/text/format";
import type { DeletionImpact } from "@/lib/settings/organization/organization-schema";

interface DeleteFormProps {
  name: string;
  onCancel: () => void;
  onDeleted: () => void;
}

/** Says what the deletion ends and erases, and asks for the organization's name and the reader's password before it. */
export function DeleteForm(props: DeleteFormProps) {
  const query = useQuery(deletionQuery);
  return (
    <Loaded query={query} loading="Counting what would be deleted">
      {(impact) => <Question impact={impact} {...props} />}
    </Loaded>
  );
}

function Question({ impact, name, onCancel, onDeleted }: DeleteFormProps & { impact: DeletionImpact }) {
  const [password, setPassword] = useState("");
  const deletion = useMutation({
    mutationFn: () =>
      sendJson("POST", `${ORGANIZATION_PATH}/delete`, { name, ...(impact.proof === "password" && { password }) }),
    onSuccess: onDeleted,
  });
  const faults = faultsByField(deletion.error, ["password"]);
  return (
    <ConfirmByTyping
      mutation={{ ...deletion, isError: deletion.isError && faults === null }}
      expected={name}
      what="the organization’s name"
      isBegun={password !== ""}
      action="Delete it for good"
      cancel="Keep the organization"
      onConfirm={() => deletion.mutate()}
      onCancel={onCancel}
    >
      <Consequences impact={impact} />
      {impact.proof === "password" ? (
        <PasswordInput
          label="Your password"
          autoComplete="current-password"
          value={password}
          onChange={(event) => {
            setPassword(event.currentTarget.value);
            deletion.reset();
          }}
          error={faults?.password}
          visibilityToggleButtonProps={{ "aria-label": "Show or hide the password", tabIndex: 0 }}
        />
      ) : (
        <Text size="sm">
          You have no password here. This works within ten minutes of your sign-in: sign out and in again first.
        </Text>
      )}
    </ConfirmByTyping>
  );
}

function Consequences({ impact }: { impact: DeletionImpact }) {
  const { records, files, members, sessions, api_clients, live_tokens, webhooks, connected_orgs } = impact;
  const stopped = counted([api_clients, "API client"], [live_tokens, "access token"], [webhooks, "webhook"]);
  return (
    <>
      <Text size="sm">At once:</Text>
      <List size="sm" spacing={6}>
        <List.Item>
          {members === 1
            ? "You can no longer sign in"
            : `None of the ${formatNumber(members)} members can sign in any more`}
          ; {formatCount(sessions, "browser")} {sessions === 1 ? "is" : "are"} signed out
        </List.Item>
        {stopped && <List.Item>What stops working: {stopped}</List.Item>}
      </List>
      <Text size="sm">Then, within minutes to hours:</Text>
      <List size="sm" spacing={6}>
        <List.Item>
          What is erased: {counted([records, "record"], [files, "file"]) || "no records yet"}, with everything else of
          this organization, the audit log included
        </List.Item>
        {connected_orgs > 0 && (
          <List.Item>
            The access to {formatCount(connected_orgs, "Salesforce org")} is deleted. Nothing changes in Salesforce.
          </List.Item>
        )}
      </List>
      <Text size="sm" fw={600}>
        Nobody can take this back, not even whoever runs this service.{" "}
        <Anchor href={exportAddress("ndjson")} download underline="always" inherit>
          Export all data before you delete
        </Anchor>
      </Text>
    </>
  );
}

/** Counts with their nouns, without those that are 0: "2 API clients, 1 webhook". */
function counted(...counts: readonly [count: number, noun: string][]): string {
  return counts.flatMap(([count, noun]) => (count === 0 ? [] : [formatCount(count, noun)])).join(", ");
}
