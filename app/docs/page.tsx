import { Anchor, Code, Text, Title } from "@mantine/core";

import { InlineText } from "@/components/docs/markdown/inline-text";
import { Markdown } from "@/components/docs/markdown/markdown";
import { TextLink } from "@/components/ui/text/text-link";
import { titleOf } from "@/lib/http/openapi/descriptions";
import { openApi } from "@/lib/http/openapi/document";

export const metadata = { title: "API reference" };

export default function DocsPage() {
  const { servers, tags } = openApi().document;
  return (
    <>
      <Title order={1}>API reference</Title>
      <Text>
        Everything that the pages of this service do with records, programs do through its REST API, at{" "}
        <Code>{servers[0]?.url}</Code>. This reference is made from the{" "}
        <Anchor href="/api/v1/openapi.json">OpenAPI 3.1 document</Anchor>, which generates clients and imports into API
        tools. Begin by <TextLink href="/docs/sign-in">getting an access token</TextLink>.
      </Text>
      <Title order={2}>Resources</Title>
      <ul>
        {tags.map(({ name, description }) => (
          <li key={name}>
            <TextLink href={`/docs/${name}`}>{titleOf(name)}</TextLink>
            {description && (
              <>
                : <InlineText text={description} />
              </>
            )}
          </li>
        ))}
      </ul>
      <Markdown source={CONVENTIONS} />
    </>
  );
}

const CONVENTIONS = `
## Values

Requests and answers are JSON. Names are in snake_case. Times are ISO 8601 in UTC with milliseconds, dates are \`YYYY-MM-DD\`, amounts are numbers whose currency stands beside them, ids are UUIDs of version 7.

What is not known here, be it a field or a parameter, is refused and never ignored; the refusal names the nearest right one.

## Lists

A list comes in pages of up to 200 records, newest first, as \`data\`, \`next_cursor\` and \`has_more\`. Send \`next_cursor\` as \`cursor\` to get the next page, with all the other parameters as they were; it is null on the last. Records that come or go meanwhile make neither gaps nor repeats. To find out what is new since the last time, read the events: they miss nothing, whereas a record that took long to be written can appear in a list behind the place where you stopped.

- \`limit\`: how many records a page has, 50 unless asked otherwise.
- \`order=asc\`: oldest first.
- \`stage=proposal\`, \`account_id=…\`: only records with this value; the reference of each list names the fields that can be asked for.
- \`created_at[gte]=…\`, \`updated_at[gte]=…\`: only records created or changed since.
- \`q=…\`: only records in whose names, e-mail addresses or subjects there are words that begin so.
- \`fields=…\`, \`expand=account,owner\`: only these fields; the records that references lead to, in full.
- \`include=total\`: how many there are on all pages together.

## Safe to repeat, safe to race

Send an \`Idempotency-Key\` with a \`POST\`, and a repeat of it within 24 hours gets the first answer again instead of doing it twice.

Every record comes with an \`ETag\`. Send it as \`If-Match\` with a change, and the change is refused with 412 if somebody was faster.

## Following changes

\`GET /events\` tells what happened in the last 30 days. Ask with \`order=asc\` and keep the \`id\` of the last event: asking again with it as \`cursor\` gives what is new, and no event is missed. Two changes of one record at about the same time may be told in either order, so keep of each record what has the highest \`data.object.version\`; a deletion goes before an update with the same version.

An event tells what was done to one record. What follows from it for others has no event of its own: references that a deletion clears and a restoring sets again, comments that go with their case, activities that a conversion moves. Lists by \`updated_at[gte]\` show them.

## Limits

Every answer says by \`RateLimit\` how many requests are left in this minute. What goes beyond gets 429 with \`Retry-After\`. Ten requests of an organization are carried out at a time; more wait, and more than 200 that wait get 429 too. Up to 200 records are written by one \`POST /{resource}/batch\`.

## Deleting

A deleted record can be restored for 30 days, by \`POST /{resource}/{id}/restore\`.
`;
