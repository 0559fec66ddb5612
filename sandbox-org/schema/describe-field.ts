import { isLongText, type Field, type FieldType, type Json } from "./field";

const SOAP_TYPES: Readonly<Record<FieldType, string>> = {
  id: "tns:ID",
  reference: "tns:ID",
  boolean: "xsd:boolean",
  int: "xsd:int",
  double: "xsd:double",
  currency: "xsd:double",
  percent: "xsd:double",
  date: "xsd:date",
  datetime: "xsd:dateTime",
  address: "urn:address",
  base64: "xsd:base64Binary",
  complexvalue: "mns:Metadata",
  string: "xsd:string",
  textarea: "xsd:string",
  picklist: "xsd:string",
  multipicklist: "xsd:string",
  combobox: "xsd:string",
  phone: "xsd:string",
  email: "xsd:string",
  url: "xsd:string",
};

const NOT_GROUPABLE = new Set<FieldType>([
  "double",
  "currency",
  "percent",
  "datetime",
  "address",
  "base64",
  "multipicklist",
  "complexvalue",
  "combobox",
]);
const NOT_AGGREGATABLE = new Set<FieldType>(["boolean", "address", "base64", "multipicklist", "complexvalue"]);
const NOT_SORTABLE = new Set<FieldType>(["address", "base64", "multipicklist", "complexvalue"]);
/** What counts as one character takes up to three bytes in UTF-8. */
const BYTES_PER_CHARACTER = 3;

function isIdLike(type: FieldType): boolean {
  return type === "id" || type === "reference";
}

function capabilitiesOf(field: Field): Record<string, Json> {
  const { type } = field;
  const long = isLongText(field);
  return {
    aggregatable: !NOT_AGGREGATABLE.has(type) && !long,
    createable: field.createable,
    filterable: field.filterable,
    groupable: !NOT_GROUPABLE.has(type) && !long,
    idLookup: field.idLookup,
    nillable: field.nillable,
    permissionable: field.nillable && (field.createable || type === "address" || field.calculated),
    queryByDistance: type === "address",
    searchPrefilterable: type === "reference" && field.createable,
    sortable: !NOT_SORTABLE.has(type) && !long,
    updateable: field.updateable,
  };
}

function picklistOf(field: Field): Record<string, Json> {
  return {
    picklistValues: field.picklistValues.map(({ active, defaultValue, label, value }) => ({
      active,
      defaultValue,
      label,
      validFor: null,
      value,
    })),
    restrictedPicklist: field.restrictedPicklist,
    dependentPicklist: false,
    controllerName: null,
    defaultValue:
      field.type === "boolean" ? false : (field.picklistValues.find(({ defaultValue }) => defaultValue)?.value ?? null),
    defaultValueFormula: null,
    defaultedOnCreate: field.defaultedOnCreate,
  };
}

function referenceOf(field: Field): Record<string, Json> {
  const polymorphic = field.referenceTo.length > 1;
  return {
    cascadeDelete: field.cascadeDelete,
    namePointing: polymorphic,
    polymorphicForeignKey: polymorphic,
    referenceTargetField: null,
    referenceTo: field.referenceTo,
    relationshipName: field.relationshipName,
    relationshipOrder: field.cascadeDelete ? 0 : null,
    restrictedDelete: false,
    writeRequiresMasterRead: false,
  };
}

/** One field in a describe: the 57 attributes of a real org. */
export function describeField(field: Field): Record<string, Json> {
  const numeric =
    field.type === "int" || field.type === "boolean" || field.type === "date" || field.type === "datetime";
  const described: Record<string, Json> = {
    aiPredictionField: false,
    autoNumber: field.autoNumber,
    byteLength: isIdLike(field.type) ? field.length : field.length * BYTES_PER_CHARACTER,
    calculated: field.calculated,
    calculatedFormula: field.calculatedFormula,
    caseSensitive: false,
    compoundFieldName: field.compoundFieldName,
    custom: field.custom,
    deprecatedAndHidden: false,
    digits: field.digits,
    displayLocationInDecimal: false,
    encrypted: false,
    externalId: field.externalId,
    extraTypeInfo: field.extraTypeInfo,
    filteredLookupInfo: null,
    formulaTreatNullNumberAsZero: false,
    highScaleNumber: false,
    htmlFormatted: field.htmlFormatted,
    inlineHelpText: field.inlineHelpText,
    label: field.label,
    length: field.length,
    mask: null,
    maskType: null,
    name: field.name,
    nameField: field.nameField,
    precision: numeric ? 0 : field.precision,
    scale: numeric ? 0 : field.scale,
    soapType: SOAP_TYPES[field.type],
    type: field.type,
    unique: field.unique,
    ...capabilitiesOf(field),
    ...picklistOf(field),
    ...referenceOf(field),
  };
  return Object.fromEntries(Object.entries(described).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
