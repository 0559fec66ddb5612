import { ActionIcon, Box, Button, Group, Stack, Switch, Text, TextInput, Title } from "@mantine/core";
import { IconTrash } from "@tabler/icons-react";
import { type ChangeEvent, type MouseEvent, type RefObject, type SubmitEvent, useRef, useState } from "react";

import { Problem } from "@/components/api/problem";
import { useChangeViews, useSavedViews } from "@/components/records/list/saved-views/use-saved-views";
import { SharedQuestion, useSharedQuestion } from "@/components/records/list/saved-views/shared-question";
import { RECORD_NAMES } from "@/components/records/record-names";
import { ProblemAlert } from "@/components/ui/feedback/problem-alert";
import { showUndo } from "@/components/ui/feedback/show-undo";
import { Dialog, useHeldOpen } from "@/components/ui/overlay/dialog";
import type { ResourceName } from "@/lib/records/schema/resources";
import type { SavedView } from "@/lib/settings/views/view-schema";

interface SavedViewsDialogProps {
  resource: ResourceName;
  /** What the list shows now. */
  query: string;
  opened: boolean;
  onClose: () => void;
}

/** Saves what the list shows under a name, and renames, shares and deletes the reader's own views. */
export function SavedViewsDialog({ resource, query, opened, onClose }: SavedViewsDialogProps) {
  const change = useChangeViews(resource);
  // Its refusal is told by the message of the undo, not here.
  const { mutateAsync: putBack } = useChangeViews(resource);
  const field = useRef<HTMLInputElement>(null);
  const own = useSavedViews(resource).data?.own ?? [];
  const names = own.map(({ name }) => name);
  const { ask, ...question } = useSharedQuestion();
  const save = (name: string, onSaved: () => void) => {
    const replaced = own.find((each) => each.name === name);
    ask(replaced, "Replace", () => change.mutate((views) => withView(views, { name, query }), { onSuccess: onSaved }));
  };
  const remove: ViewChanges["onDelete"] = (view, calledBy, onDeleted) =>
    ask(view, "Delete", async () => {
      // Not by `mutate`, which tells only of the last of several deletions. The dialog shows a refusal.
      const left = await change.mutateAsync((views) => withChanges(views, calledBy, null)).catch(() => null);
      if (!left) return;
      onDeleted();
      showUndo({
        title: "View deleted",
        message: view.is_shared ? `“${view.name}” is gone for everybody.` : `“${view.name}” is gone.`,
        undo: () => putBack((views) => withPutBack(views, view)),
        undone: `“${view.name}” is back`,
      });
    });
  return (
    <Dialog
      opened={opened}
      onClose={onClose}
      // Escape answers the question that is open over it.
      closeOnEscape={!question.isOpen}
      title={`Views of ${RECORD_NAMES[resource].plural.toLowerCase()}`}
    >
      <Stack>
        {change.isError && <ProblemAlert error={change.error} />}
        <SaveView names={names} isSaving={change.isPending} field={field} onSave={save} />
        {own.length > 0 && (
          <OwnViews
            views={own}
            names={names}
            onChange={(calledBy, changes) => change.mutate((views) => withChanges(views, calledBy, changes))}
            onDelete={remove}
            onLastDeleted={() => field.current?.focus()}
          />
        )}
      </Stack>
      <SharedQuestion {...question} change={change} />
    </Dialog>
  );
}

/** A view of the same name gets what this one shows, and stays shared. */
export function withView(views: readonly SavedView[], { name, query }: Pick<SavedView, "name" | "query">): SavedView[] {
  const before = views.find((each) => each.name === name);
  return [...views.filter((each) => each !== before), { name, query, is_shared: before?.is_shared ?? false }];
}

/** With a deleted view as it was. Throws a problem if there is another one of its name by now. */
export function withPutBack(views: readonly SavedView[], view: SavedView): SavedView[] {
  if (views.every(({ name }) => name !== view.name)) return [...views, view];
  const detail = `You have saved another view as “${view.name}” meanwhile, so that one stays.`;
  throw new Problem({ title: "The view is not put back", detail, code: "conflict" });
}

/**
 * With changes of one view, or without it for null. It is called by the first of `names` that there is: when its turn
 * comes, a change before it may have renamed the view, or been refused.
 */
export function withChanges(
  views: readonly SavedView[],
  names: readonly string[],
  changes: Partial<SavedView> | null,
): SavedView[] {
  const name = names.find((candidate) => views.some((each) => each.name === candidate));
  return views.flatMap((each) => (each.name === name ? (changes ? { ...each, ...changes } : []) : each));
}

interface SaveViewProps {
  /** The names of the views that there are. */
  names: readonly string[];
  isSaving: boolean;
  field: RefObject<HTMLInputElement | null>;
  onSave: (name: string, onSaved: () => void) => void;
}

function SaveView({ names, isSaving, field, onSave }: SaveViewProps) {
  const [name, setName] = useState("");
  const given = name.trim();
  // Not while a change is sent: the click that closes the dialog ends the renaming of a view, which sends one.
  useHeldOpen(false, given !== "");
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (given === "") return;
    onSave(given, () => setName(""));
  };
  return (
    <form onSubmit={submit}>
      <Group align="flex-end" wrap="nowrap">
        <TextInput
          ref={field}
          flex={1}
          label="Save what the list shows now as"
          description="Its words, filters, order and columns. At most 60 characters."
          maxLength={60}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          data-autofocus
        />
        <Button type="submit" loading={isSaving} disabled={given === ""}>
          {names.includes(given) ? "Replace" : "Save"}
        </Button>
      </Group>
    </form>
  );
}

interface ViewChanges {
  /** The names of the views that there are. */
  names: readonly string[];
  /** Gets what the view may be called by now, and what changes. */
  onChange: (names: readonly string[], changes: Partial<SavedView>) => void;
  /** Gets the view, what it may be called by now, and what to do once it is deleted. */
  onDelete: (view: SavedView, names: readonly string[], onDeleted: () => void) => void;
  /** No view is left that could take the focus. */
  onLastDeleted: () => void;
}

function OwnViews({ views, names, onChange, ...others }: ViewChanges & { views: readonly SavedView[] }) {
  const [keys, setKeys] = useState<RowKeys>(new Map());
  const changeRow: ViewChanges["onChange"] = (calledBy, changes) => {
    if (changes.name !== undefined) setKeys(withRenamed(keys, calledBy, changes.name));
    onChange(calledBy, changes);
  };
  return (
    <section aria-labelledby="own-views">
      <Title order={3} size="h4" id="own-views" mb="xs">
        Your views
      </Title>
      <Stack gap="sm" component="ul" m={0} p={0} style={{ listStyle: "none" }}>
        {views.map((view) => (
          <OwnView key={keyOf(keys, names, view.name)} view={view} names={names} onChange={changeRow} {...others} />
        ))}
      </Stack>
    </section>
  );
}

/** The first names of views that were renamed, by the names that they got. */
type RowKeys = ReadonlyMap<string, string>;

/** The key of a view's row. A row that is renamed keeps it, and with it the focus, wherever its new name puts it. */
export function keyOf(keys: RowKeys, names: readonly string[], name: string): string {
  const first = keys.get(name);
  // Another view has that name by now, or the new one was refused.
  return first === undefined || names.includes(first) ? name : first;
}

/** With the view that may be called by any of `calledBy`, under its new name. */
export function withRenamed(keys: RowKeys, calledBy: readonly string[], name: string): RowKeys {
  const [known = name] = calledBy;
  const first = keys.get(known) ?? known;
  const kept = [...keys].filter(([each, key]) => key !== first || calledBy.includes(each));
  return new Map(kept).set(name, first);
}

interface OwnViewProps extends ViewChanges {
  view: SavedView;
}

/** A view, renamed by Enter or when its row is left. */
function OwnView(props: OwnViewProps) {
  const { view, onDelete, onLastDeleted } = props;
  const { field, calledBy, change, rename } = useChangedView(props);
  const remove = ({ currentTarget }: MouseEvent<HTMLElement>) => {
    const row = currentTarget.closest("li");
    const beside = row?.nextElementSibling ?? row?.previousElementSibling;
    onDelete(view, calledBy(), () => {
      if (!isFree(row)) return;
      if (beside) beside.querySelector("input")?.focus();
      else onLastDeleted();
    });
  };
  return (
    <Box component="li" onBlur={({ currentTarget: row, relatedTarget: next }) => row.contains(next) || rename()}>
      <Group wrap="nowrap" gap="xs">
        <TextInput
          flex={1}
          aria-label={`Name of the view ${view.name}`}
          maxLength={60}
          {...field}
          onKeyDown={(event) => event.key === "Enter" && rename()}
        />
        <ActionIcon variant="default" size="input-sm" aria-label={`Delete the view ${view.name}`} onClick={remove}>
          <IconTrash size={16} stroke={1.6} aria-hidden />
        </ActionIcon>
      </Group>
      <Switch
        mt={6}
        size="sm"
        label="Everybody in the organization sees it"
        aria-label={`Share the view ${view.name}`}
        checked={view.is_shared}
        onChange={(event) => change({ is_shared: event.currentTarget.checked })}
      />
      {view.query === "" && (
        <Text size="xs" c="dimmed">
          It shows the list as it usually is.
        </Text>
      )}
    </Box>
  );
}

/** Whether the focus is still in a row that is deleted, or was lost with it. */
function isFree(row: Element | null): boolean {
  const { activeElement: focused, body } = document;
  return focused === null || focused === body || row?.contains(focused) === true;
}

/** What is typed as the name of a view, and its changes. */
function useChangedView({ view, names, onChange }: OwnViewProps) {
  const [name, setName] = useState(view.name);
  const [error, setError] = useState<string | null>(null);
  // Until the list is read again, the view may have the name with which it was last sent.
  const sent = useRef(view.name);
  const calledBy = () => [view.name, sent.current];
  const change = (changes: Partial<SavedView>) => {
    onChange(calledBy(), changes);
    sent.current = changes.name ?? sent.current;
  };
  const rename = () => {
    const named = name.trim() || view.name;
    setName(named);
    // Also by a view that is being renamed itself: what else is under way for that one looks for it by this name.
    const isTaken = named !== view.name && names.includes(named);
    setError(isTaken ? "Another of your views has this name." : null);
    if (!isTaken && (named !== view.name || named !== sent.current)) change({ name: named });
  };
  const type = (typed: string) => {
    setName(typed);
    setError(null);
  };
  const field = { value: name, error, onChange: (event: ChangeEvent<HTMLInputElement>) => type(event.target.value) };
  return { field, calledBy, change, rename };
}
