import { hash } from "node:crypto";

import type { People } from "@/lib/migration/objects/declaration";
import { peopleIn } from "@/lib/migration/objects/key-prefixes";
import type { Plan } from "@/lib/migration/pipeline/map/plan";
import type { Outcome } from "@/lib/migration/pipeline/map/transform";
import type { SourceRecord } from "@/lib/salesforce/query";

/** To be raised with every change of what records are mapped to: otherwise a new run would not map them again. */
export const MAPPING_VERSION = 10;

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
export function contextOf(plan: Plan): string {
  return shortHash(`${MAPPING_VERSION} ${plan.fingerprint}`);
}

/** The digest of a source record with the people whom it names, and of everything else that decides its mapping. */
export function digestOf(record: SourceRecord, people: People, context: string): SourceDigest {
  const json = JSON.stringify(record);
  const named = peopleIn(record).map((id) => [people.ownerOf(id), people.memberOf(id), people.nameOf(id)]);
  return { digest: `\\x${shortHash(json + JSON.stringify(named))}${context}`, characters: json.length };
}

/** Adds the digest to a row, unless what becomes of the row depends on other records as well. */
export function withDigest(outcome: Outcome, { digest }: SourceDigest): Outcome {
  if ("row" in outcome && !outcome.row.needs && !outcome.row.mirror) outcome.row.source_digest = digest;
  return outcome;
}
