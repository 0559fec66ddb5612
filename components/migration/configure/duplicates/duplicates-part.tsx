import { Button, Group, Stack } from "@mantine/core";
import { IconCopy, IconPlus } from "@tabler/icons-react";
import { useRef } from "react";
import { flushSync } from "react-dom";

import { choicesFor, selectedObjects, withChoices } from "@/components/migration/configure/draft/choices";
import { useEditing } from "@/components/migration/configure/draft/use-draft";
import { DuplicateActions } from "@/components/migration/configure/duplicates/duplicate-actions";
import { DuplicateRules } from "@/components/migration/configure/duplicates/duplicate-rules";
import { DuplicateSearch } from "@/components/migration/configure/duplicates/duplicate-search";
import { suggestedChoices } from "@/components/migration/configure/duplicates/suggested-choices";
import { useComparableFields } from "@/components/migration/configure/duplicates/use-comparable-fields";
import { ObjectSelect } from "@/components/migration/configure/object-select";
import { PartHeading } from "@/components/migration/configure/part-heading";
import { usePlace } from "@/components/migration/configure/parts";
import { EmptyList } from "@/components/ui/feedback/empty-list";
import { canHaveDuplicates } from "@/lib/migration/configuration/comparable-fields";
import { type SourceObjectName, objectName } from "@/lib/migration/objects/source-object-names";
import { SOURCE_OBJECTS } from "@/lib/migration/objects/source-objects";

/** What is the same record twice, and what becomes of it. */
export function DuplicatesPart() {
  const { report, draft } = useEditing();
  const { place, go } = usePlace();
  const objects = selectedObjects(report, draft).filter(({ object }) => canHaveDuplicates(object));
  const current = objects.find(({ object }) => object === place.object) ?? objects[0];
  return (
    <Stack gap="lg">
      <PartHeading title="Duplicates">
        Without rules every record is imported, however much it looks like another one. With rules, those that match are
        merged, skipped or only listed. Search first to see what would happen.
      </PartHeading>
      {current ? (
        <>
          <Group align="flex-end">
            <ObjectSelect objects={objects} value={current.object} onChange={(object) => go({ object })} />
          </Group>
          <ObjectDuplicates key={current.object} object={current.object} count={current.item.count} />
        </>
      ) : (
        <EmptyList
          icon={IconCopy}
          title="Nothing to compare"
          description="Accounts, contacts and cases can have duplicates. None of them is selected."
        />
      )}
    </Stack>
  );
}

function ObjectDuplicates({ object, count }: { object: SourceObjectName; count: number | null }) {
  const { draft, isLocked, change } = useEditing();
  const comparable = useComparableFields(object);
  const { duplicates } = choicesFor(draft, object);
  const rulesTitle = useRef<HTMLHeadingElement>(null);
  const suggest = () => {
    flushSync(() => change((now) => withChoices(now, object, { duplicates: suggestedChoices(object, comparable) })));
    // The button goes.
    rulesTitle.current?.focus();
  };
  if (!duplicates) {
    return (
      <EmptyList
        icon={IconCopy}
        title={`${objectName(object)} are not compared`}
        description={`Each becomes ${nounOf(object)} of its own.`}
      >
        <Button leftSection={<IconPlus size={16} aria-hidden />} disabled={isLocked} onClick={suggest}>
          Use suggested rules
        </Button>
      </EmptyList>
    );
  }
  return (
    <>
      <DuplicateRules object={object} duplicates={duplicates} titleRef={rulesTitle} />
      <DuplicateActions object={object} duplicates={duplicates} />
      <DuplicateSearch object={object} count={count} />
    </>
  );
}

function nounOf(object: SourceObjectName): string {
  const { label } = SOURCE_OBJECTS[object];
  return /^[aeiou]/i.test(label) ? `an ${label}` : `a ${label}`;
}
