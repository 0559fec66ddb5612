import type { Migration } from "@/lib/migration/migration-schema";
import { Fault } from "@/scripts/service/fault";

/** Calls the public REST API as any developer's program does. */
export class Api {
  readonly #origin: string;
  readonly #token: string;

  constructor(origin: string, token: string) {
    this.#origin = origin;
    this.#token = token;
  }

  analyze(org: { ext_instance_url: string; ext_access_token: string }): Promise<Migration> {
    return this.#send("POST", "/api/v1/migration/analyze", org);
  }

  run(migrationId: string): Promise<Migration> {
    return this.#send("POST", "/api/v1/migration/run", { migration_id: migrationId });
  }

  migration(migrationId: string): Promise<Migration> {
    return this.#send("GET", `/api/v1/migration/${migrationId}`);
  }

  async #send(method: string, path: string, body?: object): Promise<Migration> {
    const headers = { authorization: `Bearer ${this.#token}`, "content-type": "application/json" };
    const response = await fetch(new URL(path, this.#origin), {
      method,
      headers,
      ...(body && { body: JSON.stringify(body) }),
    });
    const answer = (await response.json()) as Migration & { title?: string; detail?: string };
    if (!response.ok)
      throw new Fault(`${method} ${path} answered ${response.status}: ${answer.title ?? ""}. ${answer.detail ?? ""}`);
    return answer;
  }
}
