/** A record for the plain check. */
export interface PlainRecord {
  member: string;
  /** The record that is here, for one of them. */
  here: boolean;
  email?: string | null;
  phone?: string | null;
  name?: string | null;
  account?: string | null;
}

/** The rules of the check: e-mail; phone; name and account. */
export const PLAIN_RULES = [
  { match: [{ fields: ["email"] }] },
  { match: [{ fields: ["phone"] }] },
  { match: [{ fields: ["last_name"] }, { fields: ["account_id"] }] },
];

function matchedRule(one: PlainRecord, other: PlainRecord): number | null {
  if (isSame(one.email?.toLowerCase(), other.email?.toLowerCase())) return 0;
  if (isSame(digits(one.phone), digits(other.phone))) return 1;
  const isNamed = isSame(one.name?.toLowerCase(), other.name?.toLowerCase());
  return isNamed && isSame(one.account, other.account) ? 2 : null;
}

function isSame(one: string | null | undefined, other: string | null | undefined): boolean {
  return Boolean(one) && one === other;
}

function digits(phone: string | null | undefined): string | undefined {
  return phone?.replaceAll(/\D/g, "");
}

/** Every pair compared, and components by walking: the members of each cluster, the record that stays first. */
export function plainClusters(records: readonly PlainRecord[]): string[][] {
  const components: PlainRecord[][] = [];
  const left = new Set(records);
  for (const start of records) {
    if (!left.delete(start)) continue;
    const component = [start];
    for (const member of component)
      for (const other of left) {
        if (matchedRule(member, other) === null) continue;
        left.delete(other);
        component.push(other);
      }
    components.push(component);
  }
  return components.flatMap(divided).filter((cluster) => cluster.length > 1);
}

/** A cluster for each record that is here: the others go to the one that they match first. */
function divided(component: readonly PlainRecord[]): string[][] {
  const byMember = (one: PlainRecord, other: PlainRecord) => (one.member < other.member ? -1 : 1);
  const here = component.filter((record) => record.here).toSorted(byMember);
  const source = component.filter((record) => !record.here).toSorted(byMember);
  if (here.length === 0) return [source.map(({ member }) => member)];
  return here.map((target) => [
    target.member,
    ...source.filter((record) => targetOf(record, here) === target).map(({ member }) => member),
  ]);
}

function targetOf(record: PlainRecord, here: readonly PlainRecord[]): PlainRecord | undefined {
  const ranked = here.map((target) => ({ target, rule: matchedRule(record, target) ?? Infinity }));
  return ranked.toSorted((one, other) => (one.rule === other.rule ? 0 : one.rule - other.rule))[0]?.target;
}
