"use client";

import { type ComponentType, createElement, type ReactNode, Suspense, use, useState } from "react";

import { Problem } from "@/components/api/problem";
import { ProblemAlert } from "@/components/ui/feedback/problem-alert";
import { NOT_LOADED } from "@/components/ui/overlay/loading";

/**
 * A part of a page whose code is loaded when it is first shown. If that fails, it says so in its place and tries again
 * when it is told to; the rest of the page stays, with what was typed into it. `next/dynamic` throws instead, and would
 * throw the same for ever: React keeps the rejection of a lazy component. `waiting` stands in its place meanwhile.
 */
export function loadedLater<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  waiting: ReactNode = null,
): ComponentType<Props> {
  const begin = () => load().catch(() => null);
  let latest: ReturnType<typeof begin> | null = null;
  return function LoadedLater(props: Props) {
    const [loading, setLoading] = useState(() => (latest ??= begin()));
    const tryAgain = () => setLoading((latest = begin()));
    return (
      <Suspense fallback={waiting}>
        <Part loading={loading} props={props} onRetry={tryAgain} />
      </Suspense>
    );
  };
}

interface PartProps<Props> {
  /** Null: it could not be loaded. */
  loading: Promise<ComponentType<Props> | null>;
  props: Props;
  onRetry: () => void;
}

function Part<Props extends object>({ loading, props, onRetry }: PartProps<Props>) {
  const Loaded = use(loading);
  if (Loaded) return createElement(Loaded, props);
  const { title, message: detail } = NOT_LOADED;
  return <ProblemAlert error={new Problem({ title, detail, code: "network" })} onRetry={onRetry} />;
}
