/**
 * Metadata is public: pages of any origin may read it (RFC 9728 §3.1), and it changes only with a release or a setting.
 */
const CORS = {
  "access-control-allow-origin": "*",
  "access-control-allow-methods": "GET",
  "access-control-allow-headers": "mcp-protocol-version",
};

export function metadataAnswer(metadata: object): Response {
  return Response.json(metadata, { headers: { ...CORS, "cache-control": "public, max-age=300" } });
}

export function metadataOptions(): Response {
  return new Response(null, { status: 204, headers: { ...CORS, "access-control-max-age": "86400" } });
}
