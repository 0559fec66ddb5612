/** What a host of assistants must know to connect to the MCP server. */
export interface McpConnection {
  /** The address of the server. */
  url: string;
  clientId: string;
  redirectUris: readonly string[];
}

/** The name that the server gets in the host. */
const NAME = "crm";

/** The port of a host that listens on this machine for the answer of the sign-in, if a redirect URI leads to one. */
function callbackPort({ redirectUris }: McpConnection): number | undefined {
  const local = redirectUris.map((uri) => /^http:\/\/localhost:(\d+)\/callback$/.exec(uri)?.[1]);
  const port = local.find((found) => found !== undefined);
  return port === undefined ? undefined : Number(port);
}

function asJson(value: unknown): string {
  return JSON.stringify(value, null, 2);
}

/** `.mcp.json` of Claude Code, which asks for the secret, or keeps it elsewhere. */
export function mcpServersJson(connection: McpConnection): string {
  const oauth = { clientId: connection.clientId, callbackPort: callbackPort(connection) };
  return asJson({ mcpServers: { [NAME]: { type: "http", url: connection.url, oauth } } });
}

/** The command of Claude Code that does the same; it asks for the secret. */
export function claudeCommand(connection: McpConnection): string {
  const port = callbackPort(connection);
  return [
    "claude mcp add --transport http",
    `--client-id ${connection.clientId} --client-secret`,
    ...(port === undefined ? [] : [`--callback-port ${port}`]),
    `${NAME} ${connection.url}`,
  ].join(" ");
}

/** `.cursor/mcp.json`. The secret comes from the environment, so that the file can be shared. */
export function cursorJson({ url, clientId }: McpConnection): string {
  const auth = { CLIENT_ID: clientId, CLIENT_SECRET: "${env:CRM_CLIENT_SECRET}" };
  return asJson({ mcpServers: { [NAME]: { url, auth } } });
}

/** `.vscode/mcp.json`. */
export function vsCodeJson({ url, clientId }: McpConnection): string {
  return asJson({ servers: { [NAME]: { type: "http", url, oauth: { clientId } } } });
}
