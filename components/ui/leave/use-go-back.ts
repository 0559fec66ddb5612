import { useRouter } from "next/navigation";

import { stopGuarding } from "@/components/ui/leave/leaving";

/**
 * Leads back from a form to the page that `path` names, without a question. If the reader has come from there, it goes
 * back in the history: that page is as they left it, with its filters, and is not in the history twice. Otherwise it
 * takes the place of the form, so that Back does not lead into it.
 */
export function useGoBack(): (path: string) => void {
  const router = useRouter();
  return (path) => {
    if (!isPageBefore(path)) return router.replace(path);
    stopGuarding();
    // Next keeps that page with the title from before.
    router.refresh();
    router.back();
  };
}

/** Whether the page before this one in the history has the path. Not every browser tells: it is the Navigation API. */
export function isPageBefore(path: string): boolean {
  if (!("navigation" in window)) return false;
  const { currentEntry } = window.navigation;
  const url = currentEntry && window.navigation.entries()[currentEntry.index - 1]?.url;
  return typeof url === "string" && new URL(url).pathname === path;
}
