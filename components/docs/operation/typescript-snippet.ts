import { pathWithSamples, type Request } from "@/components/docs/operation/request";

/** The reader replaces it by an access token. */
export const TOKEN_PLACEHOLDER = "PUT-THE-ACCESS-TOKEN-HERE";

/** The request by `fetch`, for browsers and Node. */
export function typescriptSnippet(request: Request): string {
  const hasBody = request.body !== undefined;
  const options = [
    ...(request.method === "GET" ? [] : [`  method: "${request.method}",`]),
    `  headers: { authorization: \`Bearer \${token}\`${hasBody ? ', "content-type": "application/json"' : ""} },`,
    ...(hasBody ? [`  body: JSON.stringify(${JSON.stringify(request.body, null, 2).replaceAll("\n", "\n  ")}),`] : []),
  ];
  return `const token = "${TOKEN_PLACEHOLDER}";
const response = await fetch("${pathWithSamples(request)}", {
${options.join("\n")}
});
${READING[request.answer]}`;
}

const READING: Record<Request["answer"], string> = {
  json: `const result = await response.json();
if (!response.ok) throw new Error(\`\${result.code}: \${result.detail}\`);`,
  text: `if (!response.ok) throw new Error(await response.text());
const result = await response.text();`,
  bytes: `if (!response.ok) throw new Error(await response.text());
const result = await response.arrayBuffer();`,
};
