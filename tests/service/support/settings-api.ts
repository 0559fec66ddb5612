import type { Demo } from "@/tests/service/support/demo";
import { type Browser, signInBrowser } from "@/scripts/demo/obtain-access-token";

/** The answer to a request of the settings. */
export interface SettingsAnswer {
  status: number;
  /** A problem, for a refusal. */
  body: Record<string, unknown>;
}

/** The answer to a registration, the only one with the client's secret. */
export interface NewApiClient {
  id: string;
  client_id: string;
  client_secret: string;
}

/** Calls the settings as our own pages do: with the session cookie of a signed-in person. */
export class SettingsApi {
  readonly #origin: string;
  readonly #browser: Browser;

  constructor(origin: string, browser: Browser) {
    this.#origin = origin;
    this.#browser = browser;
  }

  async call(method: string, path: string, body?: object): Promise<SettingsAnswer> {
    const headers = {
      cookie: this.#browser.cookieHeader(),
      origin: this.#origin,
      ...(body && { "content-type": "application/json" }),
    };
    const url = new URL(`/api/v1/settings/${path}`, this.#origin);
    const response = await fetch(url, { method, headers, ...(body && { body: JSON.stringify(body) }) });
    return { status: response.status, body: (await response.json()) as Record<string, unknown> };
  }

  /** Registers an API client. Throws if that is refused. */
  async register(redirectUri: string, scopes: readonly string[]): Promise<NewApiClient> {
    const answer = await this.call("POST", "clients", {
      name: "Independent client",
      redirect_uris: [redirectUri],
      scopes,
    });
    if (answer.status !== 201)
      throw new Error(`The registration was answered ${answer.status}: ${JSON.stringify(answer.body)}`);
    return answer.body as unknown as NewApiClient;
  }
}

/** The settings of the demo organization, with its admin signed in. */
export async function signInToSettings(demo: Demo): Promise<{ settings: SettingsApi; browser: Browser }> {
  const browser = await signInBrowser({ baseUrl: demo.base_url, ...demo.admin });
  return { settings: new SettingsApi(demo.base_url, browser), browser };
}
