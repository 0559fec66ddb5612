import { ApiError } from "../server/api-error";

/** How much of the query the message shows before and after the error. */
const BEFORE = 40;
const AFTER = 35;

/** An error that shows the place in the query, with a caret, row and column, in the format recorded from real orgs. */
function soqlError(errorCode: string, source: string, at: number, message: string): ApiError {
  const before = source.slice(0, at);
  const row = before.split("\n").length;
  const lineStart = before.lastIndexOf("\n") + 1;
  const from = Math.max(lineStart, at - BEFORE);
  const lineEnd = source.indexOf("\n", at);
  const line = source.slice(from, Math.min(at + AFTER, lineEnd === -1 ? source.length : lineEnd)).trimEnd();
  return new ApiError(
    400,
    errorCode,
    `\n${line}\n${" ".repeat(at - from)}^\nERROR at Row:${row}:Column:${at - lineStart + 1}\n${message}`,
  );
}

export const unexpected = (source: string, at: number, token: string): ApiError =>
  soqlError("MALFORMED_QUERY", source, at, token === "" ? "unexpected token: '<EOF>'" : `unexpected token: '${token}'`);

/** No semi-join or anti-join is on the object of its query (SOQL and SOSL Reference, "Comparison Operators"). */
export const sameObject = (source: string, at: number): ApiError =>
  soqlError("MALFORMED_QUERY", source, at, "The inner and outer selects should not be on the same object type");

export const noSuchColumn = (source: string, at: number, column: string, entity: string): ApiError =>
  soqlError(
    "INVALID_FIELD",
    source,
    at,
    `No such column '${column}' on entity '${entity}'. If you are attempting to use a custom field, be sure to ` +
      "append the '__c' after the custom field name. Please reference your WSDL or the describe call for the " +
      "appropriate names.",
  );

export const noSuchRelationship = (source: string, at: number, relationship: string): ApiError =>
  soqlError(
    "INVALID_FIELD",
    source,
    at,
    `Didn't understand relationship '${relationship}' in field path. If you are attempting to use a custom ` +
      "relationship, be sure to append the '__r' after the custom relationship name. Please reference your WSDL or " +
      "the describe call for the appropriate names.",
  );

export const unsupportedType = (source: string, at: number, name: string): ApiError =>
  soqlError(
    "INVALID_TYPE",
    source,
    at,
    `sObject type '${name}' is not supported. If you are attempting to use a custom object, be sure to append the ` +
      "'__c' after the entity name. Please reference your WSDL or the describe call for the appropriate names.",
  );
