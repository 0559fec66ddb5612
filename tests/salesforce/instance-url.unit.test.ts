import { describe, expect, test } from "vitest";

import { AddressRefused } from "@/lib/outbound/address-rules";
import { canBeSameOrg, instanceOrigin, loginOrigin, refusedAddress } from "@/lib/salesforce/instance-url";

describe("the address of an org is accepted as people paste it:", () => {
  test.each([
    ["https://acme.my.salesforce.com", "https://acme.my.salesforce.com"],
    ["acme.my.salesforce.com", "https://acme.my.salesforce.com"],
    ["  HTTPS://Acme.My.Salesforce.com/  ", "https://acme.my.salesforce.com"],
    ["https://acme.my.salesforce.com/services/data/v60.0?x=1#y", "https://acme.my.salesforce.com"],
    ["https://acme.lightning.force.com/lightning/page/home", "https://acme.my.salesforce.com"],
    ["https://acme--uat.sandbox.lightning.force.com/", "https://acme--uat.sandbox.my.salesforce.com"],
    ["https://acme-dev-ed.develop.lightning.force.com", "https://acme-dev-ed.develop.my.salesforce.com"],
    ["https://acme.my.salesforce-setup.com/lightning/setup", "https://acme.my.salesforce.com"],
  ])("%s", (given, origin) => {
    expect(instanceOrigin(given)).toBe(origin);
  });
});

describe("anything else is refused with an example:", () => {
  test.each([
    "",
    "two words",
    "https://",
    "https://login.salesforce.com",
    "https://test.salesforce.com/?un=ada",
    "www.salesforce.com",
  ])("%j", (given) => {
    expect(() => instanceOrigin(given)).toThrow(/https:\/\/acme\.my\.salesforce\.com/);
  });
});

const refusal = (address: string) => refusedAddress(new AddressRefused("No."), new URL(address), false);

describe("the setting that allows addresses of this machine", () => {
  test.each(["https://127.0.0.1", "http://localhost:4000", "https://[::1]"])("is named for %s", (address) => {
    expect(refusal(address)).toMatch(/^No\. .*ALLOW_PRIVATE_NETWORK=true allows/);
  });

  test.each(["https://acme.my.salesforce.com@127.0.0.1", "https://:secret@localhost", "http://acme.example"])(
    "is not named for %s, which it would not allow",
    (address) => expect(refusal(address)).toBe("No."),
  );
});

describe("signing in", () => {
  test.each([
    ["https://login.salesforce.com", "https://login.salesforce.com"],
    ["test.salesforce.com", "https://test.salesforce.com"],
    ["https://acme.lightning.force.com", "https://acme.my.salesforce.com"],
    ["https://acme--uat.sandbox.my.salesforce.com/", "https://acme--uat.sandbox.my.salesforce.com"],
  ])("is done at %s", (given, origin) => {
    expect(loginOrigin(given, false)).toBe(origin);
  });

  // The client secret of this service is sent to that host.
  test.each([
    "https://evil.example",
    "https://evilsalesforce.com",
    "https://login.salesforce.com.evil.example",
    "https://salesforce.com@evil.example",
    "https://evil.example/.salesforce.com",
    "https://evil.example#.salesforce.com",
  ])("is not done at %s", (given) => {
    expect(() => loginOrigin(given, false)).toThrow(/not a host of Salesforce|user name or password/);
  });
});

describe("an org id that two hosts claim", () => {
  test.each([
    ["https://acme.my.salesforce.com", "https://acme.my.salesforce.com"],
    ["https://acme.my.salesforce.com", "https://acme-group.my.salesforce.com"],
    ["https://na139.salesforce.com", "https://acme.my.salesforce.com"],
    ["https://crm.acme.example:8443", "https://crm.acme.example:8443"],
  ])("is one org's at %s and %s", (one, other) => {
    expect(canBeSameOrg(one, other)).toBe(true);
  });

  test.each([
    ["https://acme.my.salesforce.com", "https://evil.example"],
    ["https://acme.my.salesforce.com", "https://salesforce.com.evil.example"],
    ["https://acme.my.salesforce.com", "https://evilsalesforce.com"],
    ["https://acme.my.salesforce.com", "http://acme.my.salesforce.com"],
    ["https://crm.acme.example", "https://crm.evil.example"],
    ["https://crm.acme.example", "https://crm.acme.example:8443"],
  ])("is not at %s and %s", (one, other) => {
    expect(canBeSameOrg(one, other)).toBe(false);
    expect(canBeSameOrg(other, one)).toBe(false);
  });
});
