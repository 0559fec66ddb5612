/** A request that an example makes. */
export interface Request {
  method: string;
  /** The origin and the path of the API, without a slash at the end. */
  server: string;
  /** With `{name}` for what the reader puts in. */
  path: string;
  /** Sample values for the names of the path. */
  samples: Record<string, string>;
  /** Query, `?` included, or nothing. */
  query: string;
  body?: unknown;
}

/** The address with a sample in the place of every name. */
export function pathWithSamples({ server, path, samples, query }: Request): string {
  return `${server}${path.replaceAll(/\{(\w+)\}/g, (placeholder, name: string) => samples[name] ?? placeholder)}${query}`;
}
