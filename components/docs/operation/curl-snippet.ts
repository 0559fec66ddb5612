import { pathWithSamples, type Request } from "@/components/docs/operation/request";

/** The request as a curl command, with the access token in the variable TOKEN. */
export function curlSnippet(request: Request): string {
  const method = request.method === "GET" ? "" : ` -X ${request.method}`;
  const lines = [`curl${method} '${pathWithSamples(request)}'`, `-H "Authorization: Bearer $TOKEN"`];
  if (request.body === undefined) return lines.join(" \\\n  ");
  const body = JSON.stringify(request.body, null, 2).replaceAll("'", String.raw`'\''`);
  return [...lines, "-H 'Content-Type: application/json'", `-d '${body}'`].join(" \\\n  ");
}
