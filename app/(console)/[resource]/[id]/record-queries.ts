import { answerOf, type PageQuery } from "@/app/prefetched";
import { queryKeys } from "@/components/api/query-keys";
import { SHORT_PAGE } from "@/components/api/use-list";
import type { AnyRecord } from "@/components/records/record";
import { activityField, relatedInput, shownRelations } from "@/components/records/relations";
import type { Context } from "@/lib/context";
import { listFiles } from "@/lib/files/read-files";
import { MAX_LIMIT } from "@/lib/input/limits";
import { listCommentsOfCase } from "@/lib/records/case-thread";
import { getOperation, listOperation } from "@/lib/records/operations";
import { provenanceOperation } from "@/lib/records/provenance";
import type { ResourceName } from "@/lib/records/schema/resources";
import { listStageChanges } from "@/lib/records/stage-history";

function recordQuery(resource: ResourceName, id: string): PageQuery {
  return { key: queryKeys.record(resource, id), operation: getOperation(resource), input: { id } };
}

/** The record of a page, for its title; undefined where the browser is to say why there is none. */
export async function readRecord(context: Context, resource: ResourceName, id: string): Promise<AnyRecord | undefined> {
  return (await answerOf(recordQuery(resource, id), context)) as AnyRecord | undefined;
}

/** What the page of a record shows: the record and what belongs to it. Read later, each part would push the next. */
export function recordQueries(resource: ResourceName, id: string): PageQuery[] {
  const timeline = activityField(resource);
  return [
    recordQuery(resource, id),
    { key: queryKeys.provenance(resource, id), operation: provenanceOperation(resource), input: { id } },
    { key: queryKeys.files(id), operation: listFiles, input: { record_id: id, limit: SHORT_PAGE }, list: "pages" },
    ...shownRelations(resource).map((relation): PageQuery => ({
      key: queryKeys.related(relation.from.resource, relation.field, id),
      operation: listOperation(relation.from.resource),
      input: relatedInput(relation, id),
    })),
    ...(timeline === undefined ? [] : [timelineQuery(timeline, id)]),
    ...(resource === "opportunities" ? [stagesQuery(id)] : []),
    ...(resource === "cases" ? threadQueries(id) : []),
  ];
}

function timelineQuery(field: string, id: string): PageQuery {
  return {
    key: queryKeys.timeline(field, id),
    operation: listOperation("activities"),
    input: { [field]: id, limit: SHORT_PAGE },
    list: "pages",
  };
}

function stagesQuery(id: string): PageQuery {
  return {
    key: queryKeys.stageChanges(id),
    operation: listStageChanges,
    input: { id, limit: SHORT_PAGE },
    list: "pages",
  };
}

function threadQueries(id: string): PageQuery[] {
  return [
    {
      key: queryKeys.thread(id),
      operation: listCommentsOfCase,
      input: { id, limit: MAX_LIMIT },
      list: "rows",
    },
    { key: queryKeys.threadFiles(id), operation: listFiles, input: { case_id: id, limit: MAX_LIMIT }, list: "rows" },
  ];
}
