/** A server's answer, in a form that expectations can be compared with. */
export interface Answer {
  status: number;
  /** Names in lower case. Headers that matter are null if the answer does not have them. */
  headers: Record<string, string | null>;
  location: string | null;
  /** Parameters of the location's query, null if missing. */
  returned: Record<string, string | null>;
  /** Parsed if it is JSON, otherwise text. */
  body: unknown;
}

const HEADERS = [
  "location",
  "www-authenticate",
  "access-control-allow-origin",
  "access-control-allow-credentials",
  "retry-after",
  "set-cookie",
];
const RETURNED = ["code", "error", "error_description", "state", "iss", "access_token", "token"];

export async function readAnswer(response: Response): Promise<Answer> {
  return answerOf(response.status, Object.fromEntries(response.headers), await response.text());
}

export function answerOf(status: number, headers: Record<string, string>, text: string): Answer {
  const location = headers.location ?? null;
  const query = location === null ? "" : new URL(location, "http://here.invalid").search;
  return {
    status,
    headers: { ...absent(HEADERS), ...headers },
    location,
    returned: { ...absent(RETURNED), ...Object.fromEntries(new URLSearchParams(query)) },
    body: /json/.test(headers["content-type"] ?? "") && text !== "" ? (JSON.parse(text) as unknown) : text,
  };
}

function absent(names: readonly string[]): Record<string, null> {
  return Object.fromEntries(names.map((name) => [name, null]));
}

/** The access token in an answer of the token endpoint. */
export function accessTokenIn({ status, body }: Answer): string {
  if (status !== 200) throw new Error(`The token endpoint answered ${status}: ${JSON.stringify(body)}`);
  return (body as { access_token: string }).access_token;
}
