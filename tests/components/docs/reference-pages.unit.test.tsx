import { MantineProvider } from "@mantine/core";
import type { ReactNode } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, test } from "vitest";

import ResourcePage from "@/app/docs/[resource]/page";
import ErrorsPage from "@/app/docs/errors/page";
import DocsPage from "@/app/docs/page";
import { openApi } from "@/lib/http/openapi/document";
import { EVENT_TYPES } from "@/lib/records/events/list-events";
import type { Entity } from "@/lib/records/schema/entity";
import { ENTITIES, relationsTo } from "@/lib/records/schema/registry";

function render(page: ReactNode): string {
  return renderToStaticMarkup(<MantineProvider>{page}</MantineProvider>);
}

const rendered = new Map<string, Promise<string>>();

/** The page of a resource, which takes up to seconds, so it is rendered once. */
function renderResource(resource: string): Promise<string> {
  const page = rendered.get(resource) ?? ResourcePage({ params: Promise.resolve({ resource }) }).then(render);
  rendered.set(resource, page);
  return page;
}

/** The part of a resource's page about one operation. */
async function card(resource: string, operationId: string): Promise<string> {
  const page = await renderResource(resource);
  const start = page.indexOf(`aria-labelledby="${operationId}"`);
  return page.slice(start, page.indexOf("<section", start));
}

/** A page without its TypeScript snippets, whose templates have backticks. */
function prose(page: string): string {
  return page.replaceAll(/<pre[\s\S]*?<\/pre>/g, "");
}

test("the overview and the page of errors show code as code, and no backtick", () => {
  for (const page of [<DocsPage key="overview" />, <ErrorsPage key="errors" />])
    expect(prose(render(page))).not.toContain("`");
});

describe.each(openApi().tags)("the page of $name", ({ name }) => {
  test("shows code as code, and no backtick", async () => {
    expect(prose(await renderResource(name))).not.toContain("`");
  });

  test("says where the token of its examples comes from", async () => {
    expect(await renderResource(name)).toMatch(
      /href="\/docs\/sign-in"[^>]*>access token<\/a>: for curl in the variable <code[^>]*>TOKEN/,
    );
  });
});

test("a deletion says what it does to other records, a line for each relation", async () => {
  for (const { resource, singular } of Object.values<Entity>(ENTITIES)) {
    const deletion = await card(resource, `delete_${singular}`);
    for (const { from, field, isPart } of relationsTo(resource)) {
      const others = from.resource.replaceAll("_", " ");
      const line = isPart
        ? `Its ${others} are deleted with it`
        : `Of ${others} that point at it, <code[^>]*>${field}</code> becomes null`;
      expect(deletion).toMatch(new RegExp(line));
    }
    expect(deletion.split(/<li[^>]*>(?:<[^>]*>)*(?:Of|Its) /).length - 1).toBe(relationsTo(resource).length);
  }
});

test("the fields of a batch's items are listed by action", async () => {
  const batch = await card("products", "batch_products");
  for (const action of ["create", "update", "upsert"])
    expect(batch).toContain(`<summary>Fields when action is ${action}</summary>`);
  expect(batch).toMatch(/unit_price<\/code>/);
});

test("required fields of nested objects are marked", async () => {
  const convert = await card("leads", "convert_lead");
  for (const field of ["name", "close_date"])
    expect(convert).toMatch(new RegExp(`>${field}</code><span[^>]*>required</span>`));
});

test("the types of events are listed where events are requested and where they are returned", async () => {
  const page = await renderResource("events");
  for (const type of EVENT_TYPES)
    expect(page.split(new RegExp(`${type.replace(".", "\\.")}[,<]`)).length).toBeGreaterThanOrEqual(3);
  expect(page).toContain("opportunity.*");
});

test("every list says that a cursor belongs to the parameters of its page", () => {
  const operations = Object.values(openApi().paths).flatMap((path) => Object.values(path));
  const cursors = operations.flatMap(({ parameters = [] }) => parameters.filter(({ name }) => name === "cursor"));
  expect(cursors.length).toBeGreaterThan(10);
  for (const { description } of cursors) expect(description).toMatch(/Leave all other parameters unchanged/);
});
