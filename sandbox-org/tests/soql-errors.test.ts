import { expect, test } from "vitest";

import { refused } from "./support/run-soql";

test("errors show the place in the query, as Salesforce's do", () => {
  expect(refused("SELECT Id, FirstName, LastName FROM XYZZY ")).toEqual({
    errorCode: "INVALID_TYPE",
    message:
      "\nSELECT Id, FirstName, LastName FROM XYZZY\n                                    ^\nERROR at " +
      "Row:1:Column:37\nsObject type 'XYZZY' is not supported. If you are attempting to use a custom object, be " +
      "sure to append the '__c' after the entity name. Please reference your WSDL or the describe call for the " +
      "appropriate names.",
  });
  expect(refused("SELECT * FROM Account")).toEqual({
    errorCode: "MALFORMED_QUERY",
    message: "\nSELECT * FROM Account\n       ^\nERROR at Row:1:Column:8\nunexpected token: '*'",
  });
  const { message } = refused("SELECT Id, SF_date__c FROM Lead");
  expect(message).toMatch(/^\nSELECT Id, SF_date__c FROM Lead\n {11}\^\nERROR at Row:1:Column:12\n/);
  expect(message).toContain("\nNo such column 'SF_date__c' on entity 'Lead'. If you");
  expect(refused("SELECT Id, Boss.Name FROM Lead").message).toContain(
    "Didn't understand relationship 'Boss' in field path.",
  );
});

test.each([
  ["SELECT Id FROM", "MALFORMED_QUERY"],
  ["SELECT FROM Account", "MALFORMED_QUERY"],
  ["SELECT Id FROM Account WHERE", "MALFORMED_QUERY"],
  ["SELECT Id FROM Account WHERE Name = 'x' AND Name = 'y' OR Name = 'z'", "MALFORMED_QUERY"],
  ["SELECT Id FROM Account LIMIT x", "MALFORMED_QUERY"],
  ["SELECT Id FROM Account; DROP TABLE Account", "MALFORMED_QUERY"],
  ["SELECT Id, Name FROM Account GROUP BY Name", "MALFORMED_QUERY"],
  ["", "MALFORMED_QUERY"],
  ["SELECT Id FROM Account OFFSET 2001", "NUMBER_OUTSIDE_VALID_RANGE"],
  ["SELECT Nope FROM Account", "INVALID_FIELD"],
  ["SELECT Id, Id FROM Account", "INVALID_FIELD"],
  ["SELECT Id FROM Account WHERE CreatedDate > '2020-01-01T00:00:00Z'", "INVALID_FIELD"],
  ["SELECT Id FROM Account WHERE CreatedDate > 2020-01-01", "INVALID_FIELD"],
  ["SELECT Id FROM Account WHERE Name = 5", "INVALID_FIELD"],
  ["SELECT Id FROM Account WHERE IsDeleted = 'false'", "INVALID_FIELD"],
  ["SELECT Id FROM Account WHERE Description = 'x'", "INVALID_FIELD"],
  ["SELECT Id FROM Account ORDER BY Description", "INVALID_FIELD"],
  ["SELECT Id FROM Account WHERE Id = 'banana'", "INVALID_QUERY_FILTER_OPERATOR"],
  ["SELECT Id FROM ActivityHistory", "INVALID_TYPE_FOR_OPERATION"],
  ["SELECT Id FROM AccountChangeEvent", "INVALID_TYPE_FOR_OPERATION"],
  ["SELECT Id FROM CurrencyType", "INVALID_TYPE"],
  ["SELECT Id FROM ContentDocumentLink", "MALFORMED_QUERY"],
  ["SELECT Id FROM ContentDocumentLink WHERE LinkedEntityId != null", "MALFORMED_QUERY"],
  ["SELECT Id FROM Account WHERE ParentId NOT IN (SELECT Id FROM Account)", "MALFORMED_QUERY"],
  ["SELECT ParentId, COUNT(Id) FROM Case WHERE ParentId IN (SELECT Id FROM case) GROUP BY ParentId", "MALFORMED_QUERY"],
  ["SELECT Id FROM FeedItem WHERE RelatedRecordId = null", "INVALID_FIELD"],
  ["SELECT Id FROM FeedItem WHERE Body = 'x'", "INVALID_FIELD"],
  ["SELECT Id FROM FeedComment WHERE Parent.Type = 'Case'", "INVALID_FIELD"],
  ["SELECT FeedItem.Type FROM FeedComment", "INVALID_FIELD"],
  ["SELECT LastEditBy.Name FROM FeedItem", "INVALID_FIELD"],
  ["SELECT Activity.Status FROM EmailMessage", "INVALID_FIELD"],
  ["SELECT Id, COUNT(Name) FROM Account GROUP BY Id", "EXCEEDED_ID_LIMIT"],
])("%s is refused with %s", (soql, errorCode) => {
  expect(refused(soql).errorCode).toBe(errorCode);
});

test("a semi-join on the object of its query is refused in Salesforce's words", () => {
  expect(refused("SELECT Id FROM Contact WHERE ReportsToId IN (SELECT Id FROM Contact)").message).toContain(
    "\nThe inner and outer selects should not be on the same object type",
  );
});
