import { RECORD_NAMES } from "@/components/records/record-names";
import { EmptyList } from "@/components/ui/feedback/empty-list";
import { LinkButton } from "@/components/ui/text/link-button";
import type { ResourceName } from "@/lib/records/schema/resources";

/** The kinds of records that a migration imports; the others are planned. */
const MIGRATED = new Set<ResourceName>(["accounts", "contacts", "cases", "case_comments", "activities"]);

function whereFrom(resource: ResourceName, names: string, isNarrowed: boolean): string {
  if (isNarrowed) return `Other ${names} may match with fewer filters or other words.`;
  if (MIGRATED.has(resource)) return "Migrate them from your Salesforce org.";
  return `A migration does not take ${names} yet; that is planned.`;
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
        <LinkButton href="/migration" variant={MIGRATED.has(resource) ? "filled" : "default"}>
          Go to the migration
        </LinkButton>
      )}
    </EmptyList>
  );
}
