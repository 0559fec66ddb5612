"use client";

import { Tabs, Text } from "@mantine/core";

import { CopyButton } from "@/components/ui/copy/copy-button";
import classes from "@/components/settings/api/example/client-example.module.css";
import { curlExample } from "@/components/settings/api/example/curl-example";
import type { ExampleClient } from "@/components/settings/api/example/example-client";
import { nodeExample } from "@/components/settings/api/example/node-example";

const WAYS = [
  {
    value: "curl",
    label: "bash and curl",
    hint: "Paste it into a terminal that has bash, curl and openssl.",
    write: curlExample,
  },
  { value: "node", label: "Node", hint: "For Node 18 or newer; it needs no packages.", write: nodeExample },
] as const;

/** The whole grant as a program that runs as it stands: from the authorization request to the first records. */
export function ClientExample({ example }: { example: ExampleClient }) {
  return (
    <>
      <Text size="sm" c="dimmed" maw="46rem">
        Gets an access token in your own name and reads the first records. Run it where the client secret may be: a
        terminal keeps what is pasted in its history. If nothing answers at the redirect URI yet, the browser shows an
        error; its address bar has what you need all the same.
      </Text>
      <Tabs defaultValue="curl">
        <Tabs.List mb="sm">
          {WAYS.map(({ value, label }) => (
            <Tabs.Tab key={value} value={value}>
              {label}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {WAYS.map(({ value, label, hint, write }) => (
          <Tabs.Panel key={value} value={value}>
            <div className={classes.above}>
              <Text size="sm">{hint}</Text>
              <CopyButton text={write(example)} what={`example for ${label}`} />
            </div>
            <pre className={classes.code}>{write(example)}</pre>
          </Tabs.Panel>
        ))}
      </Tabs>
    </>
  );
}
