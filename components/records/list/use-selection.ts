import { useCallback, useLayoutEffect, useRef, useState } from "react";

interface Row {
  id: string;
}

/** The rows of a list that the reader has selected. The functions stay the same: no row is rendered for them. */
export interface Selection {
  ids: ReadonlySet<string>;
  /** Selects a row or takes it out; `extends_` does the same with all rows since the last one. */
  select: (index: number, extends_: boolean) => void;
  /** Selects all rows from one to another. */
  extend: (from: number, to: number) => void;
  /** Selects all loaded rows, or these, which have just been loaded. */
  selectAll: (loaded?: readonly Row[]) => void;
  clear: () => void;
}

const NONE: ReadonlySet<string> = new Set();

export function useSelection(rows: readonly Row[]): Selection {
  const [ids, setIds] = useState(NONE);
  const last = useRef(0);
  const shown = useRef(rows);
  useLayoutEffect(() => {
    shown.current = rows;
  }, [rows]);
  const select = useCallback((index: number, extends_: boolean) => {
    const from = extends_ ? last.current : index;
    const among = shown.current;
    last.current = index;
    setIds((before) => {
      const isAdded = !before.has(among[index]?.id ?? "");
      return withRange(before, among, { from, to: index, isAdded });
    });
  }, []);
  const extend = useCallback((from: number, to: number) => {
    const among = shown.current;
    last.current = to;
    setIds((before) => withRange(before, among, { from, to, isAdded: true }));
  }, []);
  const selectAll = useCallback(
    (loaded: readonly Row[] = shown.current) => setIds(new Set(loaded.map((row) => row.id))),
    [],
  );
  const clear = useCallback(() => setIds(NONE), []);
  return { ids, select, extend, selectAll, clear };
}

interface Range {
  from: number;
  to: number;
  isAdded: boolean;
}

function withRange(before: ReadonlySet<string>, rows: readonly Row[], { from, to, isAdded }: Range) {
  const range = rows.slice(Math.min(from, to), Math.max(from, to) + 1).map((row) => row.id);
  if (isAdded) return new Set([...before, ...range]);
  const removed = new Set(range);
  return new Set([...before].filter((id) => !removed.has(id)));
}
