"use client";

import { Stack, Text } from "@mantine/core";

import {
  claudeCommand,
  cursorJson,
  type McpConnection,
  mcpServersJson,
  vsCodeJson,
} from "@/components/settings/api/mcp/host-settings";
import { ScopeNames } from "@/components/settings/api/scope-names";
import { UriList } from "@/components/settings/api/uri-list";
import { Copyable } from "@/components/ui/copy/copyable";
import { Snippets } from "@/components/ui/copy/snippets";
import { Disclosure } from "@/components/ui/layout/disclosure";
import { Fact, Facts } from "@/components/ui/layout/facts";
import type { OauthClient } from "@/lib/oauth/clients/client-schema";

interface ConnectAssistantProps {
  client: Pick<OauthClient, "client_id" | "redirect_uris" | "scopes">;
  /** The origin of the service. */
  service: string;
}

/** What to fill in at a host of assistants, by the names that hosts have for it, and as files that they read. */
export function ConnectAssistant({ client, service }: ConnectAssistantProps) {
  const connection = { url: `${service}/api/mcp`, clientId: client.client_id, redirectUris: client.redirect_uris };
  return (
    <Disclosure title="Connect an assistant (MCP)">
      <Stack py="md" px={{ base: 0, sm: "xs" }}>
        <Text size="sm" c="dimmed" maw="46rem">
          A host such as Claude or VS Code needs the URL of the server. When it signs in, it asks for the client ID and
          the client secret. One of the redirect URIs must be the host’s own, letter for letter.
        </Text>
        <Facts>
          <Fact label="MCP server URL">
            <Copyable text={connection.url} what="MCP server URL" />
          </Fact>
          <Fact label="OAuth client ID">
            <Copyable text={connection.clientId} what="OAuth client ID" />
          </Fact>
          <Fact label="Redirect URIs">
            <UriList uris={connection.redirectUris} />
          </Fact>
          <Fact label="Scopes">
            <ScopeNames scopes={client.scopes} />
          </Fact>
        </Facts>
        <Snippets snippets={snippetsOf(connection)} />
      </Stack>
    </Disclosure>
  );
}

function snippetsOf(connection: McpConnection) {
  return [
    {
      label: "JSON",
      hint: "For .mcp.json in a project, which Claude Code reads.",
      text: mcpServersJson(connection),
    },
    {
      label: "Claude Code",
      hint: "It asks for the client secret. Its redirect URI is http://localhost:4180/callback, or another port.",
      text: claudeCommand(connection),
    },
    {
      label: "VS Code",
      hint: "For .vscode/mcp.json. Its redirect URIs are http://127.0.0.1:33418/ and https://vscode.dev/redirect.",
      text: vsCodeJson(connection),
    },
    {
      label: "Cursor",
      hint:
        "For .cursor/mcp.json. Its redirect URIs are http://localhost:8787/callback and " +
        "https://www.cursor.com/agents/mcp/oauth/callback.",
      text: cursorJson(connection),
    },
  ];
}
