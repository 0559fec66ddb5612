import { expect, test } from "vitest";

import { claudeCommand, cursorJson, mcpServersJson, vsCodeJson } from "@/components/settings/api/mcp/host-settings";

const connection = {
  url: "https://crm.example/api/mcp",
  clientId: "crm_0123456789abcdef01234567",
  redirectUris: ["https://claude.ai/api/mcp/auth_callback", "http://localhost:4180/callback"],
};
const elsewhere = { ...connection, redirectUris: ["https://claude.ai/api/mcp/auth_callback"] };

test("the files of hosts name the server and the client, and a local port if the client has one", () => {
  const oauth = { clientId: connection.clientId };
  expect(JSON.parse(mcpServersJson(connection))).toEqual({
    mcpServers: { crm: { type: "http", url: connection.url, oauth: { ...oauth, callbackPort: 4180 } } },
  });
  expect(JSON.parse(mcpServersJson(elsewhere))).toEqual({
    mcpServers: { crm: { type: "http", url: connection.url, oauth } },
  });
  expect(JSON.parse(vsCodeJson(connection))).toEqual({
    servers: { crm: { type: "http", url: connection.url, oauth } },
  });
  expect(JSON.parse(cursorJson(connection))).toEqual({
    mcpServers: {
      crm: {
        url: connection.url,
        auth: { CLIENT_ID: connection.clientId, CLIENT_SECRET: "${env:CRM_CLIENT_SECRET}" },
      },
    },
  });
});

test("the command of Claude Code does the same", () => {
  expect(claudeCommand(connection)).toBe(
    "claude mcp add --transport http --client-id crm_0123456789abcdef01234567 --client-secret --callback-port 4180 " +
      "crm https://crm.example/api/mcp",
  );
  expect(claudeCommand(elsewhere)).not.toContain("--callback-port");
});
