import { hash } from "node:crypto";

import type { People } from "@/lib/migration/objects/declaration";
import type { Plan } from "@/lib/migration/pipeline/map/plan";
import type { Outcome } from "@/lib/migration/pipeline/map/transform";
import type { SourceRecord } from "@/lib/salesforce/query";

/** To be raised with every change of what records are mapped to: otherwise a new run would not map them again. */
export const MAPPING_VERSION = 7;

export interface SourceDigest {
  /** 16 bytes, as PostgreSQL writes them. */
  digest: string;
  /** The length of the record as JSON. */
  characters: number;
}

/** 8 bytes of SHA-256 as hexadecimal digits. */
function shortHash(text: string): string {
  return hash("sha256", text).slice(0, 16);
}

/** The part of digests that is the same for all records of an object in a run: what else decides their mapping. */
export function contextOf(plan: Plan, people: People): string {
  return shortHash(`${MAPPING_VERSION} ${plan.fingerprint} ${people.fingerprint}`);
}

/** The digest of a source record, and of everything else that decides what it is mapped to. */
export function digestOf(record: SourceRecord, context: string): SourceDigest {
  const json = JSON.stringify(record);
  return { digest: `\\x${shortHash(json)}${context}`, characters: json.length };
}

/** Adds the digest to a row, unless what becomes of the row depends on other records as well. */
export function withDigest(outcome: Outcome, { digest }: SourceDigest): Outcome {
  if ("row" in outcome && !outcome.row.needs && !outcome.row.mirror) outcome.row.source_digest = digest;
  return outcome;
}
