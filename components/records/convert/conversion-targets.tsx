import { Checkbox, Fieldset, Radio, SimpleGrid, Stack, Text, TextInput } from "@mantine/core";
import type { UseFormReturnType } from "@mantine/form";
import { useRef } from "react";

import { SameRecords } from "@/components/records/convert/same-records";
import { FieldInput } from "@/components/records/form/field-input";
import type { FormValues } from "@/components/records/form/record-values";
import { ReferenceInput } from "@/components/records/form/reference-input";
import { type AnyRecord, titleOf } from "@/components/records/record";
import { ReferenceLink } from "@/components/records/reference-link";
import { ENTITIES } from "@/lib/records/schema/registry";

interface ConversionTargetsProps {
  lead: AnyRecord;
  form: UseFormReturnType<FormValues>;
  /** The account of the chosen contact, to which it is bound. */
  accountId: string | null;
}

/** What a lead becomes: for each record whether it is created, or which existing one takes the lead up. */
export function ConversionTargets({ lead, form, accountId }: ConversionTargetsProps) {
  return (
    <Stack gap="lg">
      <Fieldset legend="Account">
        {accountId === null ? <Account lead={lead} form={form} /> : <BoundAccount id={accountId} />}
      </Fieldset>
      <Fieldset legend="Contact">
        <Contact lead={lead} form={form} />
      </Fieldset>
      <Fieldset legend="Opportunity">
        <Opportunity form={form} />
      </Fieldset>
      <Fieldset legend="Owner">
        <ReferenceInput
          label="Who owns what is created (the lead's owner, unless you choose)"
          target="users"
          value={String(form.values.owner_id)}
          error={form.errors.owner_id}
          onChange={(id) => form.setFieldValue("owner_id", id)}
        />
      </Fieldset>
    </Stack>
  );
}

type PartProps = Omit<ConversionTargetsProps, "accountId">;

function Account({ lead, form }: PartProps) {
  const isNew = form.values.account === "new";
  const existing = useRef<HTMLInputElement>(null);
  const use = (id: string) => {
    form.setValues({ account: "existing", account_id: id });
    existing.current?.focus();
  };
  return (
    <Stack>
      <Radio.Group aria-label="Which account?" {...form.getInputProps("account")}>
        <Stack gap="xs">
          <Radio value="new" label="A new account" />
          <Radio ref={existing} value="existing" label="An existing account" description={BLANKS} />
        </Stack>
      </Radio.Group>
      {isNew ? (
        <>
          <TextInput label="Name of the account" required autoComplete="off" {...form.getInputProps("account_name")} />
          <SameRecords resource="accounts" lead={lead} onUse={use} />
        </>
      ) : (
        <ReferenceInput
          label="Account"
          target="accounts"
          value={String(form.values.account_id)}
          error={form.errors.account_id}
          required
          onChange={(id) => form.setFieldValue("account_id", id)}
        />
      )}
    </Stack>
  );
}

const BLANKS = "Its empty fields are filled in from the lead. Nothing is overwritten.";

function BoundAccount({ id }: { id: string }) {
  return (
    <Text size="sm">
      The chosen contact belongs to <ReferenceLink resource="accounts" id={id} underline="always" />. {BLANKS}
    </Text>
  );
}

function Contact({ lead, form }: PartProps) {
  const isNew = form.values.contact === "new";
  const existing = useRef<HTMLInputElement>(null);
  const use = (id: string) => {
    form.setValues({ contact: "existing", contact_id: id });
    existing.current?.focus();
  };
  return (
    <Stack>
      <Radio.Group aria-label="Which contact?" {...form.getInputProps("contact")}>
        <Stack gap="xs">
          <Radio value="new" label={<>A new contact: {titleOf("leads", lead)}</>} />
          <Radio ref={existing} value="existing" label="An existing contact" description={BLANKS} />
        </Stack>
      </Radio.Group>
      {isNew ? (
        <SameRecords resource="contacts" lead={lead} onUse={use} />
      ) : (
        <ReferenceInput
          label="Contact"
          target="contacts"
          value={String(form.values.contact_id)}
          error={form.errors.contact_id}
          required
          onChange={(id) => form.setFieldValue("contact_id", id)}
        />
      )}
    </Stack>
  );
}

const OPPORTUNITY_FIELDS = ["name", "close_date", "stage", "amount", "currency"] as const;

function Opportunity({ form }: Pick<PartProps, "form">) {
  const { fields } = ENTITIES.opportunities;
  return (
    <Stack>
      <Checkbox label="Create an opportunity" {...form.getInputProps("has_opportunity", { type: "checkbox" })} />
      {form.values.has_opportunity === true && (
        <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="lg">
          {OPPORTUNITY_FIELDS.map((name) => (
            <FieldInput key={name} name={name} field={fields[name]} form={form} />
          ))}
        </SimpleGrid>
      )}
    </Stack>
  );
}
