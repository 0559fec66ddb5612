import { Anchor, Code, Text, Title } from "@mantine/core";
import { notFound } from "next/navigation";

import { ReceivingEvents } from "@/app/docs/receiving-events";
import { operationsOf, placesOfSchemas, schemasOf } from "@/app/docs/places";
import { samplesOf } from "@/app/docs/samples";
import { InlineText } from "@/components/docs/markdown/inline-text";
import { OperationCard } from "@/components/docs/operation/operation-card";
import { OperationIndex } from "@/components/docs/operation/operation-index";
import { SchemaCard } from "@/components/docs/schema/schema-card";
import { TextLink } from "@/components/ui/text/links";
import { titleOf } from "@/lib/http/openapi/descriptions";
import { openApi } from "@/lib/http/openapi/document";
import { WEBHOOK_EVENT } from "@/lib/http/openapi/webhook-request";

interface Target {
  params: Promise<{ resource: string }>;
}

export async function generateMetadata({ params }: Target) {
  return { title: `${titleOf((await params).resource)} · API reference` };
}

export default async function ResourcePage({ params }: Target) {
  const { resource } = await params;
  const { tags, servers, components } = openApi();
  const tag = tags.find(({ name }) => name === resource);
  if (!tag) notFound();
  const operations = operationsOf(resource);
  const places = placesOfSchemas();
  const shared = { server: servers[0]?.url ?? "", schemas: components.schemas, places, samples: samplesOf(resource) };
  return (
    <>
      <Title order={1}>{titleOf(resource)}</Title>
      {tag.description && (
        <Text>
          <InlineText text={tag.description} />
        </Text>
      )}
      {resource === "webhooks" && (
        <Text>
          Below the list of operations: <Anchor href="#receiving">what an endpoint gets</Anchor>, how to verify it, and
          when it is sent again.
        </Text>
      )}
      <Text>
        The examples need an <TextLink href="/docs/sign-in">access token</TextLink>: for curl in the variable{" "}
        <Code>TOKEN</Code>, in TypeScript where the first line says. The ids are samples: replace them by those of your
        own records.
      </Text>
      <OperationIndex operations={operations} />
      {resource === "webhooks" && <ReceivingEvents event={components.schemas[WEBHOOK_EVENT] ?? {}} places={places} />}
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
