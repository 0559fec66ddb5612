import type { Operation, Schemas } from "@/components/docs/document";
import { namesWithin } from "@/components/docs/document";
import { openApi } from "@/lib/http/openapi/document";

/** The operations of a tag, in the order of the document. */
export function operationsOf(tag: string): Operation[] {
  const { paths } = openApi();
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, operation]) =>
      operation.tags.includes(tag) ? [{ ...operation, method: method.toUpperCase(), path }] : [],
    ),
  );
}

function answersOf(tag: string) {
  return operationsOf(tag).map(({ responses }) =>
    Object.values(responses).map(({ content }) => content?.["application/json"]?.schema),
  );
}

/** The tag whose page shows each named schema: the first one whose responses are of that schema, or else contain it. */
function homes(): Map<string, string> {
  const { tags, components } = openApi();
  const schemas: Schemas = components.schemas;
  const found = new Map<string, string>();
  const claim = (name: string, tag: string) => found.has(name) || found.set(name, tag);
  for (const { name: tag } of tags) for (const name of namesWithin(answersOf(tag), {})) claim(name, tag);
  for (const { name: tag } of tags) for (const name of namesWithin(answersOf(tag), schemas)) claim(name, tag);
  for (const { name: tag } of tags) for (const name of namesWithin(operationsOf(tag), schemas)) claim(name, tag);
  found.delete("Problem");
  return found;
}

let known: Map<string, string> | undefined;

/** The address of each named schema's field list. */
export function placesOfSchemas(): Record<string, string> {
  known ??= homes();
  return Object.fromEntries([...known].map(([name, tag]) => [name, `/docs/${tag}#${name}`]));
}

/** The named schemas that the page of a tag shows. */
export function schemasOf(tag: string): string[] {
  known ??= homes();
  return [...known].flatMap(([name, home]) => (home === tag ? [name] : [])).toSorted();
}
