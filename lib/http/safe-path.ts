import { env } from "@/lib/env";

/** `path` when it leads to a page of ours, otherwise "/". What comes in a `next` parameter may have been written by anybody. */
export function safePath(path: string | null | undefined): string {
  if (!path?.startsWith("/") || !URL.canParse(path, env.APP_URL)) return "/";
  const url = new URL(path, env.APP_URL);
  // Where dot segments were taken out, a path can begin with two slashes, which a browser takes for a host: `/.//evil.example`.
  return url.origin === env.APP_URL && !url.pathname.startsWith("//") ? `${url.pathname}${url.search}` : "/";
}
