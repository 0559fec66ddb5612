import type { Org } from "../generator/population";
import { DATA_OBJECTS, objectOfId, TOOLING_OBJECTS } from "../objects/registry";
import type { SObject } from "../schema/sobject";
import { Table } from "./table";

/** What the user may not see: objects are absent, fields are absent from describes and unknown to queries. */
export interface Access {
  hiddenObjects: readonly string[];
  hiddenFields: Readonly<Record<string, readonly string[]>>;
}

/** Every table of the org, as the current user sees it. */
export class Database {
  private access: Access = { hiddenObjects: [], hiddenFields: {} };
  private readonly data: Map<string, Table>;
  private readonly tooling: Map<string, Table>;

  constructor(readonly org: Org) {
    this.data = this.open(DATA_OBJECTS);
    this.tooling = this.open(TOOLING_OBJECTS);
  }

  /** Tables of the data API (or of the tooling API) in the order of their registry. */
  tables(api: "data" | "tooling"): Table[] {
    return [...this[api].values()].filter((table) => !this.isHidden(table.name));
  }

  table(name: string, api: "data" | "tooling" = "data"): Table | undefined {
    const table = this[api].get(name.toLowerCase());
    return table && !this.isHidden(table.name) ? table : undefined;
  }

  /** The table that an id of 15 or 18 characters belongs to, whether or not such a record exists. */
  tableOfId(id: string): Table | undefined {
    const object = objectOfId(id);
    return object && this.table(object.name);
  }

  get rights(): Access {
    return this.access;
  }

  /** Changes what the user may see; changes made to records stay. */
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
