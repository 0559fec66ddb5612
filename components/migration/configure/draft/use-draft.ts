import { createContext, useCallback, useContext, useEffect, useMemo, useRef, useState } from "react";

import type { Tagged } from "@/components/api/request";
import { type Change, changesBetween, type Merge, mergeChoices } from "@/components/migration/configure/draft/changes";
import type { Configuration } from "@/lib/migration/configuration/configuration-schema";
import type { Migration } from "@/lib/migration/migration-schema";
import type { Report } from "@/lib/migration/report/report-schema";

/** What every part of the step works on. */
export interface Editing {
  migration: Migration;
  report: Report;
  /** Only admins may make members. */
  isAdmin: boolean;
  /** Whether the service has a place for files. */
  keepsFiles: boolean;
  /** The choices with the reader's changes. */
  draft: Configuration;
  saved: Configuration;
  /** The entity-tag of the saved choices. */
  tag: string | null;
  /** While a run is under way, nothing can be changed. */
  isLocked: boolean;
  isChanged: boolean;
  change: (update: (draft: Configuration) => Configuration) => void;
}

export const EditingContext = createContext<Editing | null>(null);

/** The choices that are being edited. Only within the configure step. */
export function useEditing(): Editing {
  const editing = useContext(EditingContext);
  if (!editing) throw new Error("This stands outside of the configure step.");
  return editing;
}

interface Draft {
  /** What the reader began with. */
  base: Tagged<Configuration>;
  draft: Configuration;
}

/**
 * The reader's changes over the saved choices. Without changes, the draft follows what is saved. With some, what others
 * save meanwhile is offered as a merge (`meanwhile`), and nothing is lost on either side.
 */
export function useDraft(saved: Tagged<Configuration>) {
  const [{ base, draft }, setState] = useState<Draft>({ base: saved, draft: saved.value });
  const changes: Change[] = useMemo(() => changesBetween(base.value, draft), [base, draft]);
  const isNewer = saved.tag !== base.tag;
  const isSame = changes.length === 0 || (isNewer && changesBetween(saved.value, draft).length === 0);
  if (isNewer && isSame) setState({ base: saved, draft: saved.value });
  const meanwhile: Merge | null = useMemo(
    () => (isNewer && !isSame ? mergeChoices(base.value, draft, saved.value, "mine") : null),
    [isNewer, isSame, base, draft, saved],
  );
  const change = useCallback((update: (now: Configuration) => Configuration) => {
    setState((state) => ({ ...state, draft: update(state.draft) }));
  }, []);
  const latest = useRef(draft);
  useEffect(() => {
    latest.current = draft;
  }, [draft]);
  return {
    base,
    draft,
    changes,
    meanwhile,
    change,
    /** Goes on from what is saved now; for what both have changed, one side wins. */
    merge: (winner: "mine" | "theirs") =>
      setState({ base: saved, draft: mergeChoices(base.value, draft, saved.value, winner).merged }),
    discard: () => setState({ base: saved, draft: saved.value }),
    /** After a save. What was changed while it was under way stays a change. */
    rebase: (now: Tagged<Configuration>) => setState((state) => ({ base: now, draft: state.draft })),
    /** Whether nothing was changed since these choices were sent. */
    isStill: (sent: Configuration) => changesBetween(sent, latest.current).length === 0,
  };
}
