"use client";

import { Text } from "@mantine/core";

import { curlExample } from "@/components/settings/api/example/curl-example";
import type { ExampleClient } from "@/components/settings/api/example/example-client";
import { nodeExample } from "@/components/settings/api/example/node-example";
import { Snippets } from "@/components/ui/copy/snippets";

/** The whole grant as a program that runs unchanged: from the authorization request to the first records. */
export function ClientExample({ example }: { example: ExampleClient }) {
  return (
    <>
      <Text size="sm" c="dimmed" maw="46rem">
        Gets an access token in your own name and reads the first records. Run it where the client secret may be: a
        terminal keeps what is pasted in its history. If nothing answers at the redirect URI yet, the browser shows an
        error; its address bar has what you need all the same.
      </Text>
      <Snippets
        snippets={[
          {
            label: "bash and curl",
            hint: "Paste it into a terminal that has bash, curl and openssl.",
            text: curlExample(example),
          },
          { label: "Node", hint: "For Node 18 or newer; it needs no packages.", text: nodeExample(example) },
        ]}
      />
    </>
  );
}
