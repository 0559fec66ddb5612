import { RECORD_NAMES } from "@/components/records/record-names";
import { EmptyList } from "@/components/ui/feedback/empty-list";
import { LinkButton } from "@/components/ui/text/links";
import type { ResourceName } from "@/lib/records/schema/resources";

/** The kinds of records that every migration imports. It imports the others where its report offers them. */
const MIGRATED = new Set<ResourceName>(["accounts", "contacts", "cases", "case_comments", "activities"]);

function whereFrom(resource: ResourceName, names: string, isNarrowed: boolean): string {
  if (isNarrowed) return `Other ${names} may match with fewer filters or other words.`;
  if (MIGRATED.has(resource)) return "Migrate them from your Salesforce org, or create the first one here.";
  return "Create the first one here. Those of Salesforce stay there, unless the report of a migration offers them.";
}

/** Stands in place of an empty list, and says where records come from. */
export function NoRecords({ resource, isNarrowed }: { resource: ResourceName; isNarrowed: boolean }) {
  const { plural, icon } = RECORD_NAMES[resource];
  const names = plural.toLowerCase();
  return (
    <EmptyList
      icon={icon}
      title={isNarrowed ? `No ${names} here` : `No ${names} yet`}
      description={whereFrom(resource, names, isNarrowed)}
    >
      {isNarrowed ? (
        <LinkButton href={`/${resource}`} variant="default">
          Show all {names}
        </LinkButton>
      ) : (
        <Beginnings resource={resource} />
      )}
    </EmptyList>
  );
}

/** What one begins with: for most kinds of records the migration. */
function Beginnings({ resource }: { resource: ResourceName }) {
  const isMigrated = MIGRATED.has(resource);
  return (
    <>
      {isMigrated && <LinkButton href="/migration">Go to the migration</LinkButton>}
      <LinkButton href={`/${resource}/new`} variant={isMigrated ? "default" : "filled"}>
        New {RECORD_NAMES[resource].singular.toLowerCase()}
      </LinkButton>
    </>
  );
}
