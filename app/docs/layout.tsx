import type { ReactNode } from "react";

import { DocsFrame } from "@/components/docs/docs-frame";
import { titleOf } from "@/lib/http/openapi/descriptions";
import { openApi } from "@/lib/http/openapi/document";

export default function DocsLayout({ children }: { children: ReactNode }) {
  const resources = openApi().tags.map(({ name }) => ({ href: `/docs/${name}`, label: titleOf(name) }));
  return <DocsFrame resources={resources}>{children}</DocsFrame>;
}
