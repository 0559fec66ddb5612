import { Badge, Code, Text, Title } from "@mantine/core";

import { type Operation, type Schema, type Schemas, nameIn } from "@/components/docs/document";
import { InlineText } from "@/components/docs/markdown/inline-text";
import { Markdown } from "@/components/docs/markdown/markdown";
import { curlSnippet } from "@/components/docs/operation/curl-snippet";
import { exampleRequest } from "@/components/docs/operation/example-request";
import classes from "@/components/docs/operation/operation-card.module.css";
import { PathText } from "@/components/docs/operation/path-text";
import { ProblemList } from "@/components/docs/operation/problem-list";
import { typescriptSnippet } from "@/components/docs/operation/typescript-snippet";
import { FieldList, fieldsOf, type Places, SchemaLink } from "@/components/docs/schema/field-list";
import { CodeBlock } from "@/components/ui/copy/code-block";
import { Snippets } from "@/components/ui/copy/snippets";

interface OperationCardProps {
  operation: Operation;
  server: string;
  schemas: Schemas;
  places: Places;
  /** Sample values for the parameters of paths. */
  samples: Record<string, string>;
}

const KINDS = [
  { where: "path", title: "In the path" },
  { where: "query", title: "Parameters" },
  { where: "header", title: "Headers" },
] as const;

/** One operation: what it does, what it takes, what it answers, and how to call it. */
export function OperationCard({ operation, server, schemas, places, samples }: OperationCardProps) {
  const { method, path, operationId, summary, description, parameters = [], requestBody, responses } = operation;
  const body = requestBody?.content["application/json"];
  const request = exampleRequest(operation, server, samples);
  return (
    <section className={classes.card} aria-labelledby={operationId}>
      <Title order={2} id={operationId} className={classes.heading}>
        <Badge radius="sm" className={classes.method}>
          {method}
        </Badge>
        <Code className={classes.path}>
          <PathText path={path} />
        </Code>
      </Title>
      <Text>
        <InlineText text={summary} />
      </Text>
      {description && <Markdown source={description} />}
      <Text size="sm" c="dimmed">
        Needs the scope{" "}
        <InlineText text={operation.security.map(({ oauth2 }) => `\`${oauth2.join(" ")}\``).join(" or ")} />.
      </Text>
      {KINDS.map(({ where, title }) => (
        <Fields
          key={where}
          title={title}
          fields={parameters.filter((parameter) => parameter.in === where)}
          places={places}
        />
      ))}
      {body && <Fields title="Body" fields={fieldsOf(resolve(body.schema, schemas))} places={places} />}
      <Title order={3}>Example</Title>
      <Snippets
        snippets={[
          { label: "curl", text: curlSnippet(request) },
          { label: "TypeScript", text: typescriptSnippet(request) },
        ]}
      />
      <Answers responses={responses} places={places} />
      <ProblemList responses={responses} />
    </section>
  );
}

function resolve(schema: Schema, schemas: Schemas): Schema {
  return schema.$ref ? (schemas[nameIn(schema.$ref)] ?? {}) : schema;
}

function Fields({
  title,
  fields,
  places,
}: {
  title: string;
  fields: Parameters<typeof FieldList>[0]["fields"];
  places: Places;
}) {
  if (fields.length === 0) return null;
  return (
    <div>
      <Title order={3} mb="xs">
        {title}
      </Title>
      <FieldList fields={fields} places={places} marksRequired />
    </div>
  );
}

function Answers({ responses, places }: { responses: Operation["responses"]; places: Places }) {
  const successes = Object.entries(responses).filter(([status]) => Number(status) < 400);
  const shown = successes.find(([, { content }]) => content)?.[1].content?.["application/json"];
  return (
    <div>
      <Title order={3} mb="xs">
        Answer
      </Title>
      {successes.map(([status, { description, content }]) => (
        <Text key={status} size="sm" className={classes.answer}>
          <Code>{status}</Code> <InlineText text={description} />{" "}
          {content && <AnswerLink schema={content["application/json"]?.schema ?? {}} places={places} />}
        </Text>
      ))}
      {shown?.example !== undefined && (
        <details className={classes.example}>
          <summary>Show an example</summary>
          <CodeBlock text={JSON.stringify(shown.example, null, 2)} what="answer" />
        </details>
      )}
    </div>
  );
}

function AnswerLink({ schema, places }: { schema: Schema; places: Places }) {
  return schema.$ref ? <SchemaLink name={nameIn(schema.$ref)} places={places} /> : null;
}
