import { empty, field, READ_ONLY, type Field, type FieldOptions } from "../schema/field";
import { datetime, DAY, MINUTE, ORG_NOW, wholeSecond } from "./clock";
import type { Value } from "./dice";
import { below, chance, salt } from "./hash";
import { ownerId, userOf } from "./owners";
import { isDeleted, type GeneratedObject, type Org } from "./population";
import { idOf } from "./references";

const SYSTEM: FieldOptions = { ...READ_ONLY, nillable: false, defaultedOnCreate: true };
const USER: FieldOptions = { ...SYSTEM, referenceTo: ["User"] };

/** The last change. A third of all records never changed, the others within 400 days of their creation. */
function modifiedAt(org: Org, salt: number, ordinal: number, created: number): number {
  if (chance(333, org.seed, salt, ordinal)) return created;
  const room = Math.min(400 * DAY, ORG_NOW - created);
  return wholeSecond(created + below(Math.max(1, room), org.seed, salt ^ 1, ordinal));
}

/** SystemModstamp: the last change or, for records that a batch job touched, a little later. */
function stampAt(org: Org, salt: number, ordinal: number, modified: number): number {
  return chance(200, org.seed, salt ^ 2, ordinal)
    ? Math.min(ORG_NOW, wholeSecond(modified + below(20 * MINUTE, org.seed, salt ^ 3, ordinal)))
    : modified;
}

export function idField(object: GeneratedObject, label: string): Field {
  return field("id", "Id", (org, n) => idOf(org, object, n), { label, nillable: false });
}

/** IsDeleted, and who created and changed a record, and when. */
export function auditFields(object: GeneratedObject, created: Value<number>): readonly Field[] {
  const changed = salt(`${object}.modified`);
  const author = salt(`${object}.author`);
  const editor = salt(`${object}.editor`);
  const modified: Value<number> = (org, n) => modifiedAt(org, changed, n, created(org, n));
  return [
    field("boolean", "IsDeleted", (org, n) => isDeleted(org, object, n), { ...SYSTEM, label: "Deleted" }),
    field("datetime", "CreatedDate", (org, n) => datetime(created(org, n)), SYSTEM),
    field("reference", "CreatedById", (org, n) => idOf(org, "User", userOf(org, author, n)), USER),
    field("datetime", "LastModifiedDate", (org, n) => datetime(modified(org, n)), SYSTEM),
    field("reference", "LastModifiedById", (org, n) => idOf(org, "User", userOf(org, editor, n)), USER),
    field("datetime", "SystemModstamp", (org, n) => datetime(stampAt(org, changed, n, modified(org, n))), SYSTEM),
  ];
}

export function ownerField(object: GeneratedObject, queuePerMille = 0): Field {
  const own = salt(`${object}.owner`);
  const referenceTo = queuePerMille > 0 ? ["Group", "User"] : ["User"];
  return field("reference", "OwnerId", (org, n) => ownerId(org, own, n, queuePerMille), {
    nillable: false,
    defaultedOnCreate: true,
    referenceTo,
  });
}

/** When a user last viewed the record: always empty for an integration user. */
export const VIEWED: readonly Field[] = [
  empty("datetime", "LastViewedDate", READ_ONLY),
  empty("datetime", "LastReferencedDate", READ_ONLY),
];
