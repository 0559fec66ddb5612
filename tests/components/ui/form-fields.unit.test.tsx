import { useForm } from "@mantine/form";
import type { ReactNode } from "react";
import { expect, test } from "vitest";

import { TokenField } from "@/components/migration/connect/token-field";
import { FieldInput } from "@/components/records/form/field-input";
import { initialValues } from "@/components/records/form/record-values";
import { ReferenceInput } from "@/components/records/form/reference-input";
import { type ClientValues, newUriRow } from "@/components/settings/api/form/client-values";
import { NameField } from "@/components/settings/api/form/name-field";
import { RedirectUriFields } from "@/components/settings/api/form/redirect-uri-fields";
import { ScopeFields } from "@/components/settings/api/form/scope-fields";
import { InviteForm } from "@/components/settings/members/invite-form";
import { EventPicker } from "@/components/settings/webhooks/form/event-picker";
import { OwnSecret } from "@/components/settings/webhooks/form/secret-fields";
import { ENTITIES } from "@/lib/records/schema/registry";
import type { Member } from "@/lib/sessions/schemas";
import { markupOf } from "@/tests/components/support/app-router";

const nothing = () => undefined;

/** A field of an opportunity. */
function RecordField({ name }: { name: "name" | "stage" | "close_date" | "account_id" }) {
  const form = useForm({ initialValues: initialValues("opportunities", {}) });
  return <FieldInput name={name} field={ENTITIES.opportunities.fields[name]} form={form} />;
}

const FAULT = "Add at least one.";

/** A part of the form of an API client whose redirect URIs and scopes were refused. */
function ClientFields({ children }: { children: (form: ReturnType<typeof useForm<ClientValues>>) => ReactNode }) {
  return children(
    useForm<ClientValues>({
      initialValues: { name: "", redirect_uris: [newUriRow()], scopes: [] },
      initialErrors: { redirect_uris: FAULT, scopes: FAULT },
    }),
  );
}

test.each([
  ["a text of a record", <RecordField key="" name="name" />],
  ["a choice of a record", <RecordField key="" name="stage" />],
  ["a day of a record", <RecordField key="" name="close_date" />],
  ["a reference", <ReferenceInput key="" label="Account" target="accounts" value="" required onChange={nothing} />],
  ["the name of a client", <ClientFields key="">{(form) => <NameField form={form} />}</ClientFields>],
  ["a redirect URI", <ClientFields key="">{(form) => <RedirectUriFields form={form} />}</ClientFields>],
  ["a secret", <OwnSecret key="" />],
  ["an access token", <TokenField key="" label="Access token" />],
  ["an address", <InviteForm key="" member={{} as Member} onCancel={nothing} onLink={nothing} />],
])("a field that must be filled in says so, not by an asterisk alone: %s", (_, field) => {
  expect(markupOf(field).match(/<(?:input|select)[^>]* required=""/g)).toHaveLength(1);
});

test("a field that may be empty does not ask for a value", () => {
  expect(markupOf(<RecordField name="account_id" />)).not.toContain("required");
});

test.each([
  ["events", <EventPicker key="" value={[]} onChange={nothing} error={FAULT} />],
  ["redirect URIs", <ClientFields key="">{(form) => <RedirectUriFields form={form} />}</ClientFields>],
  ["scopes", <ClientFields key="">{(form) => <ScopeFields form={form} />}</ClientFields>],
])("the fault of a group of fields is tied to the group: %s", (_, group) => {
  const markup = markupOf(group);
  const [, ids = ""] = /<fieldset[^>]* aria-describedby="([^"]+)"/.exec(markup) ?? [];
  const described = ids.split(" ").map((id) => new RegExp(`id="${id}"[^>]*>([^<]*)`).exec(markup)?.[1]);
  expect(described).toHaveLength(2);
  expect(described[0]).toBe(FAULT);
});
