import { RECORD_NAMES } from "@/components/records/record-names";
import { EmptyList } from "@/components/ui/feedback/empty-list";
import { LinkButton } from "@/components/ui/text/link-button";
import type { ResourceName } from "@/lib/records/schema/resources";

/** The kinds of records that a migration imports; the others are planned. */
const MIGRATED = new Set<ResourceName>(["accounts", "contacts", "cases", "case_comments", "activities"]);

function whereFrom(resource: ResourceName, names: string, isFiltered: boolean): string {
  if (isFiltered) return `None of your ${names} belongs to this record.`;
  if (MIGRATED.has(resource)) return "Migrate them from your Salesforce org.";
  return `A migration does not take ${names} yet; that is planned.`;
}

/** Stands in place of an empty list, and says where records come from. */
export function NoRecords({ resource, isFiltered }: { resource: ResourceName; isFiltered: boolean }) {
  const { plural, icon } = RECORD_NAMES[resource];
  const names = plural.toLowerCase();
  return (
    <EmptyList
      icon={icon}
      title={isFiltered ? `No ${names} here` : `No ${names} yet`}
      description={whereFrom(resource, names, isFiltered)}
    >
      {isFiltered ? (
        <LinkButton href={`/${resource}`} variant="default">
          Show all {names}
        </LinkButton>
      ) : (
        <LinkButton href="/migration" variant={MIGRATED.has(resource) ? "filled" : "default"}>
          Go to the migration
        </LinkButton>
      )}
    </EmptyList>
  );
}
