/** The request in an example. */
export interface Request {
  method: string;
  /** The origin and the path of the API, without a trailing slash. */
  server: string;
  /** The path with its parameters as `{name}`. */
  path: string;
  /** Sample values for the parameters of the path. */
  samples: Record<string, string>;
  /** The query with its `?`, or an empty text. */
  query: string;
  /** What a successful answer holds. */
  answer: "json" | "text" | "bytes";
  body?: unknown;
}

/** The address with a sample value for every parameter. */
export function pathWithSamples({ server, path, samples, query }: Request): string {
  const filled = path.replaceAll(/\{(\w+)\}/g, (placeholder, name: string) => samples[name] ?? placeholder);
  return `${server}${filled}${query}`;
}
