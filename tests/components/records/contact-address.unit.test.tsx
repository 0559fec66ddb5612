import { MantineProvider } from "@mantine/core";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, test } from "vitest";

import { contactAddress } from "@/components/records/fields/contact-address";
import { FieldList } from "@/components/records/fields/field-list";
import { fieldOf } from "@/components/records/fields/field-of";

const addressOf = (name: string, value: unknown) => contactAddress(name, fieldOf("leads", name), value);

describe("a link to somebody", () => {
  test.each([
    ["email", "ada@example.com", "mailto:ada@example.com"],
    ["email", "ada+crm@example.com", "mailto:ada%2Bcrm@example.com"],
    ["email", "ada@example.com?bcc=eve@example.com", undefined],
    ["email", "a?bcc=eve@example.com", "mailto:a%3Fbcc%3Deve@example.com"],
    ["email", "no address", undefined],
    ["phone", "+49 (0)30 123-456", "tel:+4930123456"],
    ["mobile_phone", "(030) 12.34/56", "tel:030123456"],
    ["phone", "ask for Ada", undefined],
    ["company", "+49 30 123456", undefined],
    ["website", "https://example.com/a?b=c", "https://example.com/a?b=c"],
    ["website", "HTTP://example.com", "http://example.com/"],
    ["website", "http://intranet", "http://intranet/"],
    ["website", " www.example.com/shop ", "https://www.example.com/shop"],
    ["website", "example.com:8443", "https://example.com:8443/"],
    ["website", "javascript:alert(1)", undefined],
    ["website", "JavaScript:1//example.com", undefined],
    ["website", "data:text/html,<script>alert(1)</script>", undefined],
    ["website", "ftp://example.com", undefined],
    ["website", "ada@example.com", undefined],
    ["website", "n/a", undefined],
    ["website", "see www.example.com", undefined],
    ["website", null, undefined],
  ])("of %s: %s", (name, value, address) => {
    expect(addressOf(name, value)).toBe(address);
  });
});

/** The page's list of some fields of a lead. */
function listOf(fields: Record<string, unknown>): string {
  const item = { id: "l", created_at: "2026-01-01T00:00:00.000Z", custom_fields: {}, ...fields };
  return renderToStaticMarkup(
    <QueryClientProvider client={new QueryClient()}>
      <MantineProvider>
        <FieldList resource="leads" item={item} names={Object.keys(fields)} />
      </MantineProvider>
    </QueryClientProvider>,
  );
}

test("a record's page links them; a website opens in a new tab, which learns nothing of this one", () => {
  const list = listOf({ email: "ada@example.com", phone: "030 123456", website: "example.com" });
  expect(list).toMatch(/<a [^>]*href="mailto:ada@example\.com"/);
  expect(list).toMatch(/<a [^>]*href="tel:030123456"/);
  const [website = ""] = /<a [^>]*href="https:\/\/example\.com\/"[^>]*>/.exec(list) ?? [];
  expect(website).toContain('target="_blank"');
  expect(website).toContain('rel="noopener noreferrer"');
  expect(listOf({ website: "javascript:alert(1)" })).not.toContain("<a ");
});
