import { pathWithSamples, type Request } from "@/components/docs/request";

/** The request by `fetch` of Node, with the access token in the variable TOKEN of the environment. */
export function typescriptSnippet(request: Request): string {
  const hasBody = request.body !== undefined;
  const options = [
    ...(request.method === "GET" ? [] : [`  method: "${request.method}",`]),
    `  headers: { authorization: \`Bearer \${token}\`${hasBody ? ', "content-type": "application/json"' : ""} },`,
    ...(hasBody ? [`  body: JSON.stringify(${JSON.stringify(request.body, null, 2).replaceAll("\n", "\n  ")}),`] : []),
  ];
  return `const token = process.env.TOKEN;
const response = await fetch("${pathWithSamples(request)}", {
${options.join("\n")}
});
const result = await response.json();
if (!response.ok) throw new Error(\`\${result.code}: \${result.detail}\`);`;
}
