import { Code, Text, Title } from "@mantine/core";

import { CodeBlock } from "@/components/ui/copy/code-block";
import { TextLink } from "@/components/ui/text/links";
import { ERROR_CODES } from "@/lib/http/openapi/error-pages";
import { problemExample } from "@/lib/http/openapi/problem-schema";
import { PROBLEMS } from "@/lib/http/problem";

export const metadata = { title: "Errors · API reference" };

export default function ErrorsPage() {
  const problems = Object.entries(PROBLEMS).filter(([code]) => ERROR_CODES.includes(code));
  return (
    <>
      <Title order={1}>Errors</Title>
      <Text>
        Every refusal is a problem (RFC 9457), sent as <Code>application/problem+json</Code>. <Code>code</Code> is for
        programs and never changes; <Code>detail</Code> is a sentence for people. <Code>errors</Code> lists every fault
        that was found, up to a hundred, each with a JSON pointer into the body or the name of a parameter. The{" "}
        <Code>request_id</Code> is also in the header <Code>x-request-id</Code> and in the log.
      </Text>
      <CodeBlock text={JSON.stringify(problemExample(), null, 2)} />
      <Title order={2}>All codes</Title>
      <ul>
        {problems.map(([code, { status, title }]) => (
          <li key={code}>
            <TextLink href={`/docs/errors/${code}`}>{code}</TextLink> <Code>{status}</Code> {title}
          </li>
        ))}
      </ul>
    </>
  );
}
