import { useState } from "react";

import { replaceSent } from "@/components/ui/form/replace-sent";
import { useApiForm } from "@/components/ui/form/use-api-form";

interface EditFormOptions<Item, Values, Changes> {
  /** As the page has it now. */
  item: Item;
  valuesOf: (item: Item) => Values;
  /** What `values` change in an item; empty when they are its own. */
  changesOf: (item: Item, values: Values) => Changes;
  faultsOf: (error: unknown) => Record<string, string> | null;
  /** Sends the changes for a version of the item. The API refuses any other with `precondition_failed`. */
  save: (changes: Changes, version: number) => Promise<Item>;
}

/**
 * A form that changes an item, for `EditShell`. Only what the reader has changed is sent, for the version that they
 * last saw (`known`), so that it undoes nobody else's change.
 */
export function useEditForm<
  Item extends { version: number },
  Values extends Record<string, unknown>,
  Changes extends object,
>({ item, valuesOf, changesOf, faultsOf, save }: EditFormOptions<Item, Values, Changes>) {
  const [known, setKnown] = useState(item);
  // What changes other parts of the item, such as a switch on the same page, raises its version as well.
  const isSame = isEmpty(changesOf(known, valuesOf(item)));
  const version = isSame ? Math.max(known.version, item.version) : known.version;
  const { form, mutation, shell } = useApiForm<Values, Item>({
    initialValues: valuesOf(item),
    stays: true,
    faultsOf,
    send: (values) => save(changesOf(known, values), version),
    onSent: (saved, sent, sender) => {
      setKnown(saved);
      replaceSent(sender, sent, valuesOf(saved));
    },
  });
  const discard = () => {
    mutation.reset();
    form.clearErrors();
    form.setValues(valuesOf(known));
  };
  return { form, mutation, shell, known, setKnown, discard, isChanged: !isEmpty(changesOf(known, form.values)) };
}

function isEmpty(changes: object): boolean {
  return Object.keys(changes).length === 0;
}
