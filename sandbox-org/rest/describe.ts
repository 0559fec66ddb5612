import type { Database } from "../data/database";
import type { Table } from "../data/table";
import { RECORD_TYPES, recordTypeId } from "../objects/record-types";
import { childRelationshipsOf } from "../schema/child-relationships";
import { describeField } from "../schema/describe-field";
import type { Json } from "../schema/field";

/** The id of the master record type, which every object has and which means "no record type". */
const MASTER_RECORD_TYPE = "012000000000000AAA";

function flagsOf({ object }: Table): Record<string, Json> {
  const custom = /__(c|e|x|b|mdt)$/.test(object.name);
  return {
    activateable: false,
    associateEntityType: object.associateEntityType,
    associateParentEntity: object.associateParentEntity,
    createable: object.createable,
    custom,
    customSetting: object.customSetting,
    deepCloneable: false,
    deletable: object.createable,
    deprecatedAndHidden: false,
    feedEnabled: object.feedEnabled,
    hasSubtypes: false,
    isInterface: false,
    isSubtype: false,
    keyPrefix: object.keyPrefix,
    label: object.label,
    labelPlural: object.labelPlural,
    layoutable: object.layoutable,
    mergeable: object.mergeable,
    mruEnabled: object.layoutable,
    name: object.name,
    queryable: object.queryable,
    replicateable: object.createable,
    retrieveable: object.queryable,
    searchable: object.searchable,
    triggerable: object.createable && object.triggerable,
    undeletable: object.createable,
    updateable: object.createable,
  };
}

function urlsOf({ object }: Table, root: string): Record<string, string> {
  const sobject = `${root}/sobjects/${object.name}`;
  const layout: Record<string, string> = object.layoutable
    ? { layouts: `${sobject}/describe/layouts`, compactLayouts: `${sobject}/describe/compactLayouts` }
    : {};
  return { ...layout, rowTemplate: `${sobject}/{ID}`, describe: `${sobject}/describe`, sobject };
}

/** One entry of describe global. */
export function describeEntry(table: Table, root: string): Record<string, Json> {
  return { ...flagsOf(table), urls: urlsOf(table, root) };
}

function recordTypesOf(table: Table, root: string): Json[] {
  const own = RECORD_TYPES.filter(({ sobjectType }) => sobjectType === table.name);
  const master = { name: "Master", developerName: "Master", isActive: true };
  return [...own, master].map(({ name, developerName, isActive }, i) => {
    const isMaster = developerName === "Master";
    const id = isMaster ? MASTER_RECORD_TYPE : recordTypeId(table.org, developerName);
    return {
      active: isActive,
      available: isActive,
      defaultRecordTypeMapping: i === 0,
      developerName,
      master: isMaster,
      name,
      recordTypeId: id,
      urls: { layout: `${root}/sobjects/${table.name}/describe/layouts/${id}` },
    };
  });
}

/** The whole describe of one object. */
export function describeObject(database: Database, table: Table, root: string): Record<string, Json> {
  return {
    actionOverrides: [],
    ...flagsOf(table),
    childRelationships: childRelationshipsOf(database.tables("data"), table.name).map((relation) => ({
      cascadeDelete: relation.cascadeDelete,
      childSObject: relation.childSObject,
      deprecatedAndHidden: false,
      field: relation.field,
      junctionIdListNames: [],
      junctionReferenceTo: [],
      relationshipName: relation.relationshipName,
      restrictedDelete: false,
    })),
    compactLayoutable: table.object.layoutable,
    defaultImplementation: null,
    extendedBy: null,
    extendsInterfaces: null,
    fields: table.fields.map(describeField),
    implementedBy: null,
    implementsInterfaces: null,
    listviewable: null,
    lookupLayoutable: null,
    namedLayoutInfos: [],
    networkScopeFieldName: null,
    recordTypeInfos: recordTypesOf(table, root),
    searchLayoutable: table.object.searchable,
    sobjectDescribeOption: "FULL",
    supportedScopes: [{ label: `All ${table.object.labelPlural.toLowerCase()}`, name: "everything" }],
    urls: urlsOf(table, root),
  };
}
