import type { ReactNode } from "react";

import { DocsFrame } from "@/components/docs/docs-frame";
import { openApi } from "@/lib/http/openapi/document";
import { titleOf } from "@/lib/http/openapi/tags";

export default function DocsLayout({ children }: { children: ReactNode }) {
  const resources = openApi().document.tags.map(({ name }) => ({ href: `/docs/${name}`, label: titleOf(name) }));
  return <DocsFrame resources={resources}>{children}</DocsFrame>;
}
