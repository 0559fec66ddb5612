import { pool } from "@/lib/database/db";
import { IMPORT_ORDER, type SourceObjectName } from "@/lib/migration/objects/source-object-names";
import { type Relationship, relationshipsByField } from "@/lib/migration/objects/relationships";
import { SOURCE_OBJECTS } from "@/lib/migration/objects/source-objects";
import { findHere } from "@/lib/migration/pipeline/load/find-here";
import {
  countIn,
  countInAmong,
  countInByValue,
  type Counting,
  idsAmong,
  type Population,
  populationOf,
} from "@/lib/migration/relationships/population";
import { selectedEmails, sees } from "@/lib/migration/relationships/copies-of-emails";
import { linkConditions, withoutOther } from "@/lib/migration/relationships/link-conditions";
import { findDeletedHere, hasImported, notImported } from "@/lib/migration/relationships/records-here";
import type { ResourceName } from "@/lib/records/schema/resources";

/** A relationship of an object, with the numbers of records that its choice touches. */
export interface CountedLink {
  records: number;
  missing: number;
}

/**
 * Counts, for relationships of a migration, the records with a link and those whose other record will not be here after
 * the run. By aggregate queries; ids are read only of records that are left out themselves.
 */
export class LinkCounter {
  readonly #populations = new Map<SourceObjectName, Promise<Population>>();
  readonly #leftOut = new Map<SourceObjectName, Promise<ReadonlySet<string>>>();
  readonly #deleted = new Map<ResourceName, Promise<readonly string[]>>();

  constructor(private readonly counting: Counting) {}

  /** The relationships of a selected object by field, as the choices make them. */
  relationshipsOf(object: SourceObjectName): Map<string, Relationship[]> {
    const { selected, configuration } = this.counting;
    return relationshipsByField(object, selected.get(object)?.fields ?? [], configuration.objects[object]?.fields);
  }

  async count(object: SourceObjectName, link: Relationship): Promise<CountedLink> {
    const population = await this.#populationOf(object);
    const records = await countIn(this.counting, population, linkConditions(this.counting, object, link));
    const missing = records === 0 ? new Map<string, number>() : await this.#missingOf(object, link);
    const lacking = [...missing.values()].reduce((sum, number) => sum + number, 0);
    const { organizationId, configuration } = this.counting;
    const mayStay = configuration.objects[object]?.relationships?.[link.field] === "leave_out" && !link.required;
    if (lacking === 0 || !mayStay || !(await hasImported(organizationId, object))) return { records, missing: lacking };
    const ids = await idsAmong(this.counting, population, link, [...missing.keys()]);
    return { records, missing: (await notImported(organizationId, object, ids)).length };
  }

  #populationOf(object: SourceObjectName): Promise<Population> {
    const population = this.#populations.get(object) ?? this.#findPopulation(object);
    this.#populations.set(object, population);
    return population;
  }

  async #findPopulation(object: SourceObjectName): Promise<Population> {
    const deleted = await this.#deletedHere(SOURCE_OBJECTS[object].resource);
    const population = await populationOf(this.counting, object, deleted);
    return object === "Task" ? { ...population, further: await this.#tasksOfEmailsLeftOut() } : population;
  }

  /** Tasks that are imported although an e-mail names them, because that is left out with its case or by a choice. */
  async #tasksOfEmailsLeftOut(): Promise<string[]> {
    if (!sees(this.counting, "EmailMessage", "ActivityId")) return [];
    const chosen = this.counting.configuration.objects.EmailMessage?.relationships ?? {};
    const population = await this.#populationOf("EmailMessage");
    const where = selectedEmails(this.counting);
    const tasks = new Set<string>();
    for (const link of [...this.relationshipsOf("EmailMessage").values()].flat()) {
      if (!link.required && chosen[link.field] !== "leave_out") continue;
      const missing = await this.#missingOf("EmailMessage", link);
      const named = { field: link.field, wanted: "ActivityId", where };
      for (const id of await idsAmong(this.counting, population, named, [...missing.keys()])) tasks.add(id);
    }
    return [...tasks];
  }

  /** The records that will not be here and are named by this link, each with the number of records that name it. */
  async #missingOf(
    object: SourceObjectName,
    link: Relationship,
    leftOut?: ReadonlySet<string>,
  ): Promise<Map<string, number>> {
    const population = await this.#populationOf(object);
    const where = linkConditions(this.counting, object, link);
    const parent = this.#selectedObjectOf(link);
    if (!parent) {
      // No record of the other object comes with this run: what is here is all that there will be.
      return this.#withoutThoseHere(link, await countInByValue(this.counting, population, link.field, where));
    }
    const without = [...where, withoutOther(object, link, parent)];
    const gone = await countInByValue(this.counting, population, link.field, without);
    const left = leftOut ?? (await this.#leftOutOf(parent));
    const unimported = await countInAmong(this.counting, population, link.field, [...left], where);
    const missing = await this.#withoutThoseHere(link, new Map([...gone, ...unimported]));
    // The import skips entries of a thread whose case was deleted here for that reason, before it looks at their link.
    if (link.required) for (const id of await this.#deletedHere(link.target)) missing.delete(id);
    return missing;
  }

  /** The ids of the records of a resource that were deleted here. Several objects become records of the same one. */
  #deletedHere(resource: ResourceName): Promise<readonly string[]> {
    const found = this.#deleted.get(resource) ?? findDeletedHere(this.counting.organizationId, resource);
    this.#deleted.set(resource, found);
    return found;
  }

  #selectedObjectOf({ target }: Relationship): SourceObjectName | undefined {
    return IMPORT_ORDER.find((name) => SOURCE_OBJECTS[name].resource === target && this.counting.selected.has(name));
  }

  async #withoutThoseHere({ target }: Relationship, named: Map<string, number>): Promise<Map<string, number>> {
    const here = await findHere(pool(), this.counting.organizationId, target, [...named.keys()]);
    return new Map([...named].filter(([id, records]) => records > 0 && !here.has(id)));
  }

  /** The ids of an object's records that exist in the source and will not be here. */
  #leftOutOf(object: SourceObjectName): Promise<ReadonlySet<string>> {
    const found = this.#leftOut.get(object) ?? this.#findLeftOut(object);
    this.#leftOut.set(object, found);
    return found;
  }

  async #findLeftOut(object: SourceObjectName): Promise<ReadonlySet<string>> {
    const { resource } = SOURCE_OBJECTS[object];
    const deleted = new Set(await this.#deletedHere(resource));
    const left = new Set(deleted);
    const chosen = this.counting.configuration.objects[object]?.relationships ?? {};
    const links = [...this.relationshipsOf(object)].flatMap(([field, found]) =>
      chosen[field] === "leave_out" ? found : [],
    );
    const population = await this.#populationOf(object);
    for (const link of links) {
      // What lacks a record of its own object is completed below, when all others are known.
      const missing = await this.#missingOf(object, link, link.target === resource ? deleted : undefined);
      const lacking = await idsAmong(this.counting, population, link, [...missing.keys()]);
      for (const id of link.required ? lacking : await notImported(this.counting.organizationId, object, lacking))
        left.add(id);
    }
    for (const link of links.filter(({ target }) => target === resource)) {
      for (let parents = [...left]; parents.length > 0;) {
        const children = await idsAmong(this.counting, population, link, parents);
        const lacking = children.filter((id) => !left.has(id));
        parents = await notImported(this.counting.organizationId, object, lacking);
        for (const id of parents) left.add(id);
      }
    }
    return left;
  }
}
