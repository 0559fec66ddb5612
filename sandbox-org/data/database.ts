import type { Org } from "../generator/population";
import { DATA_OBJECTS, objectOfId, TOOLING_OBJECTS } from "../objects/registry";
import type { SObject } from "../schema/sobject";
import { Table } from "./table";

/** Objects and fields that the user may not see. Describes leave them out, and queries do not know them. */
export interface Access {
  hiddenObjects: readonly string[];
  hiddenFields: Readonly<Record<string, readonly string[]>>;
}

/** The tables of the org, as far as the current user may see them. */
export class Database {
  private access: Access = { hiddenObjects: [], hiddenFields: {} };
  private readonly data: Map<string, Table>;
  private readonly tooling: Map<string, Table>;

  constructor(readonly org: Org) {
    this.data = this.open(DATA_OBJECTS);
    this.tooling = this.open(TOOLING_OBJECTS);
  }

  /** Tables of one API, in the order of the registry. */
  tables(api: "data" | "tooling"): Table[] {
    return [...this[api].values()].filter((table) => !this.isHidden(table.name));
  }

  table(name: string, api: "data" | "tooling" = "data"): Table | undefined {
    const table = this[api].get(name.toLowerCase());
    return table && !this.isHidden(table.name) ? table : undefined;
  }

  /** The table of an id of 15 or 18 characters, whether or not the record exists. */
  tableOfId(id: string): Table | undefined {
    const object = objectOfId(id);
    return object && this.table(object.name);
  }

  get rights(): Access {
    return this.access;
  }

  /** Changes the user's access. Changed records stay changed. */
  restrict(access: Access): void {
    this.access = access;
    for (const [name, table] of this.data) {
      const hidden = access.hiddenFields[table.name] ?? [];
      this.data.set(
        name,
        new Table(this.org, table.object, new Set(hidden.map((field) => field.toLowerCase())), table.overlay),
      );
    }
  }

  private isHidden(name: string): boolean {
    return this.access.hiddenObjects.some((hidden) => hidden.toLowerCase() === name.toLowerCase());
  }

  private open(objects: ReadonlyMap<string, SObject>): Map<string, Table> {
    return new Map([...objects].map(([name, object]) => [name, new Table(this.org, object, new Set())]));
  }
}
