import { dirname } from "node:path";

/** "app/(console)/leads/[id]/convert/page.tsx" → "/leads/[id]/convert". */
export function routeOfFile(file: string): string {
  const segments = dirname(file).split("/").slice(1);
  return `/${segments.filter((segment) => !segment.startsWith("(")).join("/")}`;
}
