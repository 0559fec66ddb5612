"use client";

import { usePathname } from "next/navigation";

import classes from "@/components/docs/docs-navigation.module.css";
import { Link } from "@/components/ui/text/links";

export interface DocsLink {
  href: string;
  label: string;
}

const BEFORE: DocsLink[] = [
  { href: "/docs", label: "Overview" },
  { href: "/docs/sign-in", label: "Get an access token" },
];
const AFTER: DocsLink[] = [{ href: "/docs/errors", label: "Errors" }];

/**
 * Links to the pages of the reference: at the side, and on a narrow screen behind a button, which closes when a page is
 * chosen.
 */
export function DocsNavigation({ resources }: { resources: readonly DocsLink[] }) {
  const path = usePathname();
  return (
    <>
      <nav aria-label="Reference" className={classes.side}>
        <Links links={[...BEFORE, ...resources, ...AFTER]} path={path} />
      </nav>
      <details key={path} className={classes.fold}>
        <summary>All pages of the reference</summary>
        <nav aria-label="Reference, all pages">
          <Links links={[...BEFORE, ...resources, ...AFTER]} path={path} />
        </nav>
      </details>
    </>
  );
}

function Links({ links, path }: { links: readonly DocsLink[]; path: string }) {
  return (
    <ul className={classes.links}>
      {links.map(({ href, label }) => (
        <li key={href}>
          <Link href={href} aria-current={path === href ? "page" : undefined} className={classes.link}>
            {label}
          </Link>
        </li>
      ))}
    </ul>
  );
}
