import { wholeSum } from "@/lib/amounts";
import { type RelationshipChoice, relationshipChoice } from "@/lib/migration/configuration/configuration-schema";
import { selectedObjects } from "@/lib/migration/configuration/selected-objects";
import { askOrg } from "@/lib/migration/connections/ask-org";
import { findMigrationContents, requireReport } from "@/lib/migration/migration-contents";
import type { SourceObjectName } from "@/lib/migration/objects/source-object-names";
import { type Relationship, relationshipsByField } from "@/lib/migration/objects/relationships";
import { TooManyGroups } from "@/lib/migration/pipeline/read/count-groups";
import { LinkCounter } from "@/lib/migration/relationships/count-missing";
import type { Counting } from "@/lib/migration/relationships/population";
import { TooManyDeleted } from "@/lib/migration/relationships/records-here";
import { type ListedRelationship, relationships } from "@/lib/migration/relationships/relationships-schema";
import { migrationInput } from "@/lib/migration/migration-key";
import { defineOperation } from "@/lib/operation";
import { isAllowanceUsedUp } from "@/lib/salesforce/allowance";
import { nullWhenUnanswered } from "@/lib/salesforce/refusals";

/** Which posts only show another record, or only note that something happened, no aggregate query can say. */
const NOT_COUNTED: ReadonlySet<SourceObjectName> = new Set(["FeedItem"]);

const CHOICES = relationshipChoice.options;

/** Every link of the selected objects, with the choices for its field. */
function linksOf({
  selected,
  configuration,
}: Pick<Counting, "selected" | "configuration">): { listed: ListedRelationship; link: Relationship }[] {
  return [...selected].flatMap(([object, { fields }]) => {
    const chosen = configuration.objects[object];
    return [...relationshipsByField(object, fields, chosen?.fields)].flatMap(([field, links]) => {
      const isRequired = links.some(({ required }) => required);
      const choices = CHOICES.filter((choice) => choice !== "keep_id" || !isRequired);
      const choice: RelationshipChoice = chosen?.relationships?.[field] ?? "heal";
      const label = fields.find(({ source }) => source === field)?.label ?? field;
      return links.map((link) => ({
        listed: { object, field, label, target: link.target, choices, choice, records: null, missing: null },
        link,
      }));
    });
  });
}

export const listRelationships = defineOperation({
  name: "list_migration_relationships",
  summary:
    "List the links between records of the selected objects, what can be chosen for each, and how many records the " +
    "choice touches, counted in the Salesforce org now.",
  scopes: ["crm:read"],
  volatile: true,
  input: migrationInput,
  output: relationships,
  async run({ organizationId }, { migration_id: migrationId }) {
    const stored = await findMigrationContents(organizationId, migrationId);
    const { configuration } = stored;
    const selected = selectedObjects(requireReport(stored), configuration);
    const reasons = new Set<string>();
    const onError = (error: unknown) => {
      if (!isAllowanceUsedUp(error) && !(error instanceof TooManyDeleted)) return nullWhenUncountable(error);
      reasons.add(error.message);
      return null;
    };
    const { answer, because } = await askOrg(organizationId, migrationId, (client, signal) =>
      countLinks({ client, organizationId, configuration, selected, signal }, onError),
    );
    const uncounted = () => oncePerTarget(linksOf({ selected, configuration }).map(({ listed }) => listed));
    return { data: answer ?? uncounted(), not_counted_because: because ?? ([...reasons].join(" ") || null) };
  },
});

/** Counts the records with each link of the selected objects. `onError` decides which links stay uncounted. */
export async function countLinks(
  counting: Counting,
  onError: (error: unknown, listed: ListedRelationship) => null,
): Promise<ListedRelationship[]> {
  const counter = new LinkCounter(counting);
  const counted: ListedRelationship[] = [];
  for (const { listed, link } of linksOf(counting))
    if (NOT_COUNTED.has(listed.object)) counted.push(listed);
    else {
      const counts = await counter.count(listed.object, link).catch((error) => onError(error, listed));
      counted.push({ ...listed, ...counts });
    }
  return oncePerTarget(counted);
}

/** An e-mail of a case and one of none have links of their own, which are the same to whoever chooses. */
function oncePerTarget(links: readonly ListedRelationship[]): ListedRelationship[] {
  const groups = Map.groupBy(links, ({ object, field, target }) => `${object} ${field} ${target}`);
  return [...groups.values()].flatMap((group) =>
    group.slice(0, 1).map((first) => ({
      ...first,
      records: wholeSum(group.map(({ records }) => records)),
      missing: wholeSum(group.map(({ missing }) => missing)),
    })),
  );
}

/** Salesforce refuses some questions about some objects. The others are answered all the same. */
export function nullWhenUncountable(error: unknown): null {
  return error instanceof TooManyGroups ? null : nullWhenUnanswered(error);
}
