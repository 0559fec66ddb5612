import { ActionIcon, Button, Group, Stack, TextInput } from "@mantine/core";
import { IconPlus, IconTrash } from "@tabler/icons-react";
import { type ReactNode, useRef } from "react";
import { flushSync } from "react-dom";

import { type ClientForm, newUriRow } from "@/components/settings/api/form/client-values";
import classes from "@/components/settings/api/form/redirect-uri-fields.module.css";
import { FieldGroup } from "@/components/ui/form/field-group";

/** The API takes no more. */
const MAX_URIS = 20;

/** A field per redirect URI. The focus moves to a new row, and from a removed row to the one before it. */
export function RedirectUriFields({ form, note }: { form: ClientForm; note?: ReactNode }) {
  const rows = form.values.redirect_uris;
  const group = useRef<HTMLFieldSetElement>(null);
  const focusRow = (index: number) => group.current?.querySelectorAll("input")[index]?.focus();
  const add = () => {
    flushSync(() => form.insertListItem("redirect_uris", newUriRow()));
    focusRow(rows.length);
  };
  const remove = (index: number) => {
    flushSync(() => form.removeListItem("redirect_uris", index));
    focusRow(Math.max(0, index - 1));
  };
  return (
    <FieldGroup
      ref={group}
      label="Redirect URIs"
      help={
        <>
          Where the browser goes with the answer, such as https://example.com/callback: https, or http on localhost.
          Compared character for character. {note}
        </>
      }
      error={form.errors["redirect_uris"]}
    >
      <Stack gap="xs">
        {rows.map(({ key }, index) => (
          <Row key={key} form={form} index={index} onRemove={rows.length > 1 ? () => remove(index) : undefined} />
        ))}
      </Stack>
      <Button
        variant="subtle"
        size="compact-sm"
        mt="xs"
        leftSection={<IconPlus size={15} stroke={1.8} aria-hidden />}
        onClick={add}
        disabled={rows.length >= MAX_URIS}
      >
        Add a redirect URI
      </Button>
    </FieldGroup>
  );
}

function Row({ form, index, onRemove }: { form: ClientForm; index: number; onRemove: (() => void) | undefined }) {
  return (
    <Group gap="xs" wrap="nowrap" align="flex-start">
      <TextInput
        aria-label={`Redirect URI ${index + 1}`}
        required
        inputMode="url"
        autoComplete="off"
        spellCheck={false}
        className={classes.uri}
        {...form.getInputProps(`redirect_uris.${index}.uri`)}
      />
      {onRemove && (
        <ActionIcon variant="default" size={36} onClick={onRemove} aria-label={`Remove redirect URI ${index + 1}`}>
          <IconTrash size={16} stroke={1.6} aria-hidden />
        </ActionIcon>
      )}
    </Group>
  );
}
