import { Code, Text } from "@mantine/core";
import { notFound } from "next/navigation";

import { Markdown } from "@/components/docs/markdown/markdown";
import { TextLink } from "@/components/ui/text/links";
import { readErrorPage } from "@/lib/http/openapi/error-pages";

interface Target {
  params: Promise<{ code: string }>;
}

export async function generateMetadata({ params }: Target) {
  return { title: `${(await params).code} · API reference` };
}

export default async function ErrorPage({ params }: Target) {
  const { code } = await params;
  const source = await readErrorPage(code);
  if (source === null) notFound();
  return (
    <>
      <Text size="sm">
        <TextLink href="/docs/errors">Errors</TextLink> / <Code>{code}</Code>
      </Text>
      <Markdown source={source} />
    </>
  );
}
