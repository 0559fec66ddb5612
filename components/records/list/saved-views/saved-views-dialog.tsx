import { ActionIcon, Box, Button, Group, Modal, Stack, Switch, Text, TextInput, Title } from "@mantine/core";
import { IconTrash } from "@tabler/icons-react";
import { type ChangeEvent, type SubmitEvent, useRef, useState } from "react";

import { useChangeViews, useSavedViews } from "@/components/records/list/saved-views/use-saved-views";
import { RECORD_NAMES } from "@/components/records/record-names";
import { ProblemAlert } from "@/components/ui/feedback/problem-alert";
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
  const own = useSavedViews(resource).data?.own ?? [];
  const names = own.map(({ name }) => name);
  const save = (name: string, onSaved: () => void) =>
    change.mutate((views) => withView(views, { name, query }), { onSuccess: onSaved });
  return (
    <Modal opened={opened} onClose={onClose} title={`Views of ${RECORD_NAMES[resource].plural.toLowerCase()}`}>
      <Stack>
        {change.isError && <ProblemAlert error={change.error} />}
        <SaveView names={names} isSaving={change.isPending} onSave={save} />
        {own.length > 0 && (
          <section aria-labelledby="own-views">
            <Title order={3} size="h4" id="own-views" mb="xs">
              Your views
            </Title>
            <Stack gap="sm" component="ul" m={0} p={0} style={{ listStyle: "none" }}>
              {own.map((each) => (
                <OwnView
                  key={each.name}
                  view={each}
                  names={names}
                  onChange={(calledBy, changes) => change.mutate((views) => withChanges(views, calledBy, changes))}
                />
              ))}
            </Stack>
          </section>
        )}
      </Stack>
    </Modal>
  );
}

/** A view of the same name gets what the list shows now, and stays shared. */
function withView(views: readonly SavedView[], { name, query }: Pick<SavedView, "name" | "query">): SavedView[] {
  const before = views.find((each) => each.name === name);
  return [...views.filter((each) => each !== before), { name, query, is_shared: before?.is_shared ?? false }];
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
  onSave: (name: string, onSaved: () => void) => void;
}

function SaveView({ names, isSaving, onSave }: SaveViewProps) {
  const [name, setName] = useState("");
  const given = name.trim();
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (given === "") return;
    onSave(given, () => setName(""));
  };
  return (
    <form onSubmit={submit}>
      <Group align="flex-end" wrap="nowrap">
        <TextInput
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

interface OwnViewProps {
  view: SavedView;
  /** The names of the views that there are. */
  names: readonly string[];
  /** Gets what the view may be called by now, and what changes; null to delete it. */
  onChange: (names: readonly string[], changes: Partial<SavedView> | null) => void;
}

/** A view, renamed when its row is left: a row of another name is another one, without the focus. */
function OwnView(props: OwnViewProps) {
  const { view } = props;
  const { field, change, rename } = useChangedView(props);
  return (
    <Box component="li" onBlur={({ currentTarget: row, relatedTarget: next }) => row.contains(next) || rename()}>
      <Group wrap="nowrap" gap="xs">
        <TextInput
          flex={1}
          aria-label={`Name of the view ${view.name}`}
          maxLength={60}
          {...field}
          onKeyDown={(event) => event.key === "Enter" && event.currentTarget.blur()}
        />
        <ActionIcon
          variant="default"
          size="input-sm"
          aria-label={`Delete the view ${view.name}`}
          onClick={() => change(null)}
        >
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

/** What is typed as the name of a view, and its changes. */
function useChangedView({ view, names, onChange }: OwnViewProps) {
  const [name, setName] = useState(view.name);
  const [error, setError] = useState<string | null>(null);
  // Until the list is read again, the view may have the name with which it was last sent.
  const sent = useRef(view.name);
  const change = (changes: Partial<SavedView> | null) => {
    onChange([view.name, sent.current], changes);
    sent.current = changes?.name ?? sent.current;
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
  return { field, change, rename };
}
