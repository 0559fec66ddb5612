import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";

import { type Browser, consent } from "@/scripts/demo/obtain-access-token";
import { PastedClient } from "@/tests/service/support/mcp-oauth-provider";

export type Revision = "2025-11-25" | "2026-07-28";

interface HostOptions {
  server: URL;
  revision: Revision;
  client: { client_id: string; client_secret: string };
  redirectUri: string;
}

/** What a tool returns, with the fields of a record and of a page. */
type ToolResult = Record<string, unknown> & { id: string; version: number; data: ToolResult[] };

/** A host of assistants: the SDK's client, with what a person has pasted in. */
export class McpHost {
  readonly #provider: PastedClient;
  readonly #transport: () => StreamableHTTPClientTransport;
  readonly #client: () => Client;
  #connected: { client: Client; transport: StreamableHTTPClientTransport } | undefined;

  constructor({ server, revision, client, redirectUri }: HostOptions) {
    const mode = revision === "2025-11-25" ? "legacy" : { pin: revision };
    this.#provider = new PastedClient(client, redirectUri);
    this.#client = () => new Client({ name: "host", version: "1" }, { versionNegotiation: { mode } });
    this.#transport = () => new StreamableHTTPClientTransport(server, { authProvider: this.#provider });
  }

  /** Connects and reads the tools. Throws the SDK's UnauthorizedError where a person has to allow it first. */
  async connect(): Promise<void> {
    this.#connected = { client: this.#client(), transport: this.#transport() };
    const { client, transport } = this.#connected;
    await client.connect(transport);
    await client.listTools();
  }

  /**
   * Lets the person allow what the SDK has asked for, or `scope`, as of a host that asks for less, and returns the
   * scopes that were asked for.
   */
  async allow(browser: Browser, scope?: string): Promise<string[]> {
    const asked = this.#provider.authorizationUrl ?? new URL("about:blank");
    if (scope !== undefined) asked.searchParams.set("scope", scope);
    const { searchParams } = await consent(browser, asked);
    if (searchParams.get("state") !== this.#provider.state()) throw new Error("The answer has another state.");
    await this.#connected?.transport.finishAuth(searchParams);
    return (asked.searchParams.get("scope") ?? "").split(" ");
  }

  /** Calls a tool. Throws what it refuses. The SDK holds its result to the tool's schema. */
  async call(name: string, args: Record<string, unknown> = {}): Promise<ToolResult> {
    if (!this.#connected) throw new Error("Connect first.");
    const { content, isError, structuredContent } = await this.#connected.client.callTool({ name, arguments: args });
    if (isError) throw new Error(`${name} refused: ${JSON.stringify(content)}`);
    return structuredContent as ToolResult;
  }
}
