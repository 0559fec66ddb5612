import { Text, Title } from "@mantine/core";
import { notFound } from "next/navigation";

import { operationsOf, placesOfSchemas, schemasOf } from "@/app/docs/places";
import { OperationCard } from "@/components/docs/operation-card";
import { OperationIndex } from "@/components/docs/operation-index";
import { SchemaCard } from "@/components/docs/schema-card";
import { openApi } from "@/lib/http/openapi/document";
import { IDS, RECORD_EXAMPLES } from "@/lib/http/openapi/examples/records";
import { titleOf } from "@/lib/http/openapi/tags";
import { isResource } from "@/lib/records/registry";

interface Target {
  params: Promise<{ resource: string }>;
}

export async function generateMetadata({ params }: Target) {
  return { title: `${titleOf((await params).resource)} · API reference` };
}

export default async function ResourcePage({ params }: Target) {
  const { resource } = await params;
  const { tags, servers, components } = openApi().document;
  const tag = tags.find(({ name }) => name === resource);
  if (!tag) notFound();
  const operations = operationsOf(resource);
  const places = placesOfSchemas();
  const shared = { server: servers[0]?.url ?? "", schemas: components.schemas, places, samples: samplesOf(resource) };
  return (
    <>
      <Title order={1}>{titleOf(resource)}</Title>
      {tag.description && <Text>{tag.description}</Text>}
      <OperationIndex operations={operations} />
      {operations.map((operation) => (
        <OperationCard key={operation.operationId} operation={operation} {...shared} />
      ))}
      <Title order={2}>What the answers hold</Title>
      {schemasOf(resource).map((name) => (
        <SchemaCard key={name} name={name} schema={components.schemas[name] ?? {}} places={places} />
      ))}
    </>
  );
}

function samplesOf(resource: string): Record<string, string> {
  const id = isResource(resource) ? RECORD_EXAMPLES[resource].id : IDS.migration;
  return { id, migration_id: IDS.migration, ext_id: "0015g00001KdR2fAAF" };
}
