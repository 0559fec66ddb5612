import { Anchor, Code, Text, Title } from "@mantine/core";

import { InlineText } from "@/components/docs/markdown/inline-text";
import { Markdown } from "@/components/docs/markdown/markdown";
import { TextLink } from "@/components/ui/text/links";
import { formatNumber } from "@/lib/amounts";
import { MAX_BODY_BYTES, MAX_JSON } from "@/lib/http/api/json-body";
import { titleOf } from "@/lib/http/openapi/descriptions";
import { openApi } from "@/lib/http/openapi/document";
import { MAX_BATCH_ITEMS, MAX_LIMIT } from "@/lib/input/limits";
import { MAX_PAGE_BYTES } from "@/lib/records/schema/record-sql";

export const metadata = { title: "API reference" };

export default function DocsPage() {
  const { servers, tags } = openApi();
  return (
    <>
      <Title order={1}>API reference</Title>
      <Text>
        Everything that the pages of this service do with records, programs can do through its REST API at{" "}
        <Code>{servers[0]?.url}</Code>. This reference is generated from the{" "}
        <Anchor href="/api/v1/openapi.json">OpenAPI 3.1 document</Anchor>, from which clients can be generated and which
        API tools can import. Begin by <TextLink href="/docs/sign-in">getting an access token</TextLink>.
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

const mebibytes = (bytes: number): string => `${bytes / 1024 ** 2} MiB`;

const MAX_RECORDS_SIZE = mebibytes(MAX_PAGE_BYTES);

const CONVENTIONS = `
## Values

Requests and answers are JSON. Names are in snake_case. Times are ISO 8601 in UTC with milliseconds, dates are
\`YYYY-MM-DD\`, amounts are numbers with their currency in a separate field, ids are UUIDs of version 7.

Unknown fields and parameters are refused, never ignored; the refusal suggests the most similar known name.

## Lists

A list comes in pages of up to ${MAX_LIMIT} records, newest first, as \`data\`, \`next_cursor\` and \`has_more\`. Send
\`next_cursor\` as \`cursor\` to get the next page, with all other parameters unchanged. A page has at most
${MAX_RECORDS_SIZE}, so it may have fewer records than \`limit\`: only \`has_more: false\` is the end, where
\`next_cursor\` is null. Records that are created or deleted meanwhile cause neither gaps nor repeats. To find out what
is new since the last time, read the events: they miss nothing that people and apps do, whereas a record that took long
to write can appear in a list behind the place where you stopped.

- \`limit\`: the number of records on a page, 50 by default.
- \`order=asc\`: oldest first.
- \`sort=updated_at\`, \`sort=name\`: by another field than creation; the reference of each list names those that can
  be used. Where records change while you page, some can then appear twice or be missed.
- \`stage=proposal\`, \`account_id=…\`: only records with this value; the reference of each list names the fields that
  can be used.
- \`created_at[gte]=…\`, \`updated_at[gte]=…\`: only records created or changed since.
- \`q=…\`: only records that contain words that begin with these, in names, e-mail addresses and subjects, and in
  \`account_number\`, \`website\`, \`sku\` and \`case_number\`; or a phone number that ends like this.
- \`fields=…\`, \`expand=account,owner\`: only these fields; with the referenced records in full.
- \`include=total\`: how many records there are on all pages together.

## Repeats and concurrent changes

Send an \`Idempotency-Key\` with a \`POST\`, and a repeat of it within 24 hours gets the first answer again instead of
being carried out twice. A refusal is an answer, too, except for 429 and 5xx: once its cause is mended, send the request
with a new key. On \`PATCH\`, \`PUT\` and \`DELETE\` a key is refused with 400: they can be repeated without one.

A record in an answer of its own comes with an \`ETag\`. Send it as \`If-Match\` with a change, and the change is
refused with 412 if somebody else has changed the record first. The tag is the record's \`version\` in quotes, such as
\`"3"\`, so that a list or an event is enough to write it; at an address by external id it is followed by the record's
id, \`"3-<id>"\`, and \`If-Match\` takes either. A \`GET\` with \`expand\`, or with \`fields\` that leave
\`version\` out, has no \`ETag\`, and \`If-Match\` on it is 412.

## Following changes

\`GET /events\` lists what happened in the last 30 days. Read it with \`order=asc\` and store the \`id\` of the last
event: with it as \`cursor\`, the next request returns what is new, and none is missed. Two changes of one record at
about the same time may appear in either order, so keep the state with the highest \`data.object.version\` of each
record; a deletion goes before an update with the same version. Keep the version of a deletion, too: an update that
follows it in the feed came before it. Only a \`….created\` event brings the record back, whatever its version: a
restored record goes on with the next one, and one that is imported anew begins at 1 again, under the same id.

An app that also writes gets its own changes as events. The answer to each write is the record as it is then: store it,
and skip the events of the record up to its \`version\`, which are this change and older ones, but no deletion with that
very version.

An event describes what was done to one record. Consequences for other records have no events: references that a
deletion clears and a restoration sets again, comments that go with their case, activities that a conversion moves.
Lists by \`updated_at[gte]\` show them.

One change can have two events: \`opportunity.stage_changed\`, \`case.escalated\` and \`lead.converted\` come beside
the \`updated\` of the same version. A restored record is \`created\` again with its former id: insert or replace it.

A migration, its deltas and its undo have events, here and for webhooks, only if its configuration says
\`send_events: true\`. The records that it creates have the \`created_at\` and \`updated_at\` of Salesforce; find them
by \`migration_id=…\`.

## Limits

Where this service sets a limit, the header \`RateLimit\` of every answer to an authenticated request says how many
requests are left in this minute. Further requests get 429 with \`Retry-After\`. Ten requests of an organization are
carried out at a time and up to 200 more wait; beyond that they get 429 too, as does a fourth download of a list. These
count for each process of the service, of which there may be several.

A body has at most ${mebibytes(MAX_BODY_BYTES)} and ${formatNumber(MAX_JSON.values)} values,
${formatNumber(MAX_JSON.entries)} of them in one object or list; the address, with its query, and the headers have
16 KiB together. One \`POST /{resource}/batch\` writes up to ${MAX_BATCH_ITEMS} records of at most
${MAX_RECORDS_SIZE} together.

## Deleting

A deleted record can be restored for 30 days, by \`POST /{resource}/{id}/restore\`. \`GET /deleted_records\` lists
them, the latest deletion first.
`;
