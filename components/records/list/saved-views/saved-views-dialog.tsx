import { ActionIcon, Button, Group, Modal, Stack, Switch, Text, TextInput, Title } from "@mantine/core";
import { IconTrash } from "@tabler/icons-react";
import { type SubmitEvent, useRef, useState } from "react";

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
  const save = (name: string, onSaved: () => void) =>
    change.mutate((views) => withView(views, { name, query }), { onSuccess: onSaved });
  return (
    <Modal opened={opened} onClose={onClose} title={`Views of ${RECORD_NAMES[resource].plural.toLowerCase()}`}>
      <Stack>
        {change.isError && <ProblemAlert error={change.error} />}
        <SaveView names={own.map(({ name }) => name)} isSaving={change.isPending} onSave={save} />
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
                  onChange={(next) =>
                    change.mutate((views) => views.map((other) => (other.name === each.name ? next : other)))
                  }
                  onDelete={() => change.mutate((views) => views.filter((other) => other.name !== each.name))}
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
  onChange: (view: SavedView) => void;
  onDelete: () => void;
}

/** A view, renamed when its field is left. */
function OwnView({ view, onChange, onDelete }: OwnViewProps) {
  const [name, setName] = useState(view.name);
  const row = useRef<HTMLLIElement>(null);
  const named = name.trim() || view.name;
  const rename = (next: EventTarget | null) => {
    // The row's other controls send the name with what they change.
    if (next instanceof Node && row.current?.contains(next)) return;
    setName(named);
    if (named !== view.name) onChange({ ...view, name: named });
  };
  return (
    <li ref={row}>
      <Group wrap="nowrap" gap="xs">
        <TextInput
          flex={1}
          aria-label={`Name of the view ${view.name}`}
          maxLength={60}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          onBlur={(event) => rename(event.relatedTarget)}
          onKeyDown={(event) => event.key === "Enter" && event.currentTarget.blur()}
        />
        <ActionIcon variant="default" size="input-sm" aria-label={`Delete the view ${view.name}`} onClick={onDelete}>
          <IconTrash size={16} stroke={1.6} aria-hidden />
        </ActionIcon>
      </Group>
      <Switch
        mt={6}
        size="sm"
        label="Everybody in the organization sees it"
        aria-label={`Share the view ${view.name}`}
        checked={view.is_shared}
        onChange={(event) => onChange({ ...view, name: named, is_shared: event.currentTarget.checked })}
      />
      {view.query === "" && (
        <Text size="xs" c="dimmed">
          It shows the list as it usually is.
        </Text>
      )}
    </li>
  );
}
