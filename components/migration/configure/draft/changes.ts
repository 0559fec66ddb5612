import { NOTHING_CHOSEN } from "@/components/migration/configure/draft/choices";
import type { Configuration } from "@/lib/migration/configuration/configuration-schema";
import { NO_CHOICES } from "@/lib/migration/owners/choose-owner";

/** A single choice of a configuration: where it is, and its value in two versions. Undefined: not chosen. */
export interface Change {
  path: readonly string[];
  before: unknown;
  after: unknown;
}

/** The choices that differ between two versions of a configuration. A choice of the default counts as none. */
export function changesBetween(before: Configuration, after: Configuration): Change[] {
  const [old, now] = [choicesOf(before), choicesOf(after)];
  const keys = new Set([...old.keys(), ...now.keys()]);
  return [...keys]
    .map((key) => ({ path: JSON.parse(key) as string[], before: old.get(key), after: now.get(key) }))
    .filter(({ before: one, after: other }) => JSON.stringify(one) !== JSON.stringify(other));
}

/** What becomes of the choices of two people who began with the same configuration. */
export interface Merge {
  /** Theirs with what only the reader has changed. For what both changed, one side wins. */
  merged: Configuration;
  /** What the others have changed. */
  theirs: Change[];
  /** Those of them that the reader has changed as well, to something else. */
  contested: Change[];
}

/** Merges the reader's choices with those that others have saved meanwhile (a three-way merge). */
export function mergeChoices(
  base: Configuration,
  mine: Configuration,
  saved: Configuration,
  winner: "mine" | "theirs",
): Merge {
  const theirs = changesBetween(base, saved);
  const own = changesBetween(base, mine);
  const ownByPath = new Map(own.map((change) => [keyOf(change), change]));
  const contested = theirs.filter((change) => {
    const other = ownByPath.get(keyOf(change));
    return other !== undefined && JSON.stringify(other.after) !== JSON.stringify(change.after);
  });
  const lost = new Set(winner === "theirs" ? contested.map(keyOf) : []);
  return {
    merged: withChanges(
      saved,
      own.filter((change) => !lost.has(keyOf(change))),
    ),
    theirs,
    contested,
  };
}

function keyOf({ path }: Change): string {
  return JSON.stringify(path);
}

/** Choices that equal the default of a configuration without them. */
const DEFAULTS: readonly (readonly [pattern: RegExp, value: unknown])[] = [
  [/^objects\.[^.]+\.selected$/, true],
  [/^objects\.[^.]+\.phase$/, 1],
  [/^objects\.[^.]+\.api$/, "auto"],
  [/^objects\.[^.]+\.relationships\.[^.]+$/, "heal"],
  [/^owners\.by_email$/, true],
  [/^owners\.fallback$/, null],
];

/** Every choice by its path. Rules for duplicates are one choice: in parts they mean nothing. */
function choicesOf(value: Configuration): Map<string, unknown> {
  const found = new Map<string, unknown>();
  const walk = (part: unknown, path: string[]) => {
    if (isObject(part) && path[2] !== "duplicates") {
      for (const [name, inner] of Object.entries(part)) walk(inner, [...path, name]);
      return;
    }
    const place = path.join(".");
    if (part === undefined || DEFAULTS.some(([pattern, usual]) => usual === part && pattern.test(place))) return;
    found.set(JSON.stringify(path), part);
  };
  walk(value, []);
  return found;
}

type Json = Record<string, unknown>;

function isObject(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function withChanges(given: Configuration, changes: readonly Change[]): Configuration {
  const copy: Json = structuredClone(given);
  for (const { path, after } of changes) {
    const last = path.at(-1) ?? "";
    let parent = copy;
    for (const name of path.slice(0, -1)) {
      const inner = parent[name];
      const next: Json = isObject(inner) ? inner : structuredClone(emptyAt(parent, copy, name));
      parent[name] = next;
      parent = next;
    }
    const place = path.join(".");
    const usual = DEFAULTS.find(([pattern]) => pattern.test(place));
    if (after !== undefined) parent[last] = after;
    else if (usual) parent[last] = usual[1];
    else delete parent[last];
  }
  return copy as unknown as Configuration;
}

/** What a part of a configuration is before anything in it is chosen. */
function emptyAt(parent: Json, root: Json, name: string): Json {
  if (parent === root["objects"]) return { ...NOTHING_CHOSEN };
  return parent === root && name === "owners" ? { ...NO_CHOICES } : {};
}
