import { MantineProvider } from "@mantine/core";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";

import { queryKeys } from "@/components/api/query-keys";
import { Author } from "@/components/records/thread/author";

const MEMBER = "01890000-0000-7000-8000-000000000001";

/** The author of an entry, as the page names them once the member is loaded. */
function authorOf(fields: Record<string, unknown>): string {
  const queries = new QueryClient();
  queries.setQueryData(queryKeys.record("users", MEMBER), { id: MEMBER, name: "Grace Hopper" });
  const entry = { id: "e", created_at: "2026-01-01T00:00:00.000Z", custom_fields: {}, ...fields };
  return renderToStaticMarkup(
    <QueryClientProvider client={queries}>
      <MantineProvider>
        <Author entry={entry} />
      </MantineProvider>
    </QueryClientProvider>,
  ).replaceAll(/<style.*?<\/style>/gs, "");
}

test("the author of an entry that was written here is the member", () => {
  expect(authorOf({ author_name: null, author_id: MEMBER })).toBe("Grace Hopper");
});

test("an entry that names its author keeps that name; without any, the author is unknown", () => {
  expect(authorOf({ author_name: "ada@example.com", author_id: MEMBER })).toBe("ada@example.com");
  expect(authorOf({ author_name: null, author_id: null })).toBe("Unknown author");
});
