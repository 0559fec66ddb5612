import type { ComponentType, ReactNode } from "react";

import { DeletedRecord, deletionOf } from "@/components/records/deleted/deleted-record";
import type { AnyRecord } from "@/components/records/record";
import { RECORD_NAMES } from "@/components/records/record-names";
import type { useRecord } from "@/components/records/use-record";
import { Loaded } from "@/components/ui/feedback/loaded";
import type { ResourceName } from "@/lib/records/schema/resources";

interface LoadedRecordProps {
  resource: ResourceName;
  id: string;
  query: ReturnType<typeof useRecord>;
  /** Stands in the record's place while it loads: one of `shaped-skeletons.tsx`. */
  skeleton: ComponentType<{ label: string }>;
  children: (item: AnyRecord) => ReactNode;
}

/** One record once it is loaded. If it was deleted, also meanwhile, that is said above what is known of it. */
export function LoadedRecord({ resource, id, query, skeleton, children }: LoadedRecordProps) {
  const { singular, plural } = RECORD_NAMES[resource];
  const deletion = deletionOf(query.error);
  return (
    <>
      {deletion && <DeletedRecord resource={resource} id={id} deletion={deletion} />}
      <Loaded
        query={deletion ? { ...query, isError: false } : query}
        skeleton={skeleton}
        loading={`Loading the ${singular.toLowerCase()}`}
        list={{ href: `/${resource}`, name: `All ${plural.toLowerCase()}` }}
      >
        {children}
      </Loaded>
    </>
  );
}
