import { expect, test } from "vitest";

import { faultOf, idsIn } from "@/components/migration/configure/preview/asked-ids";
import { changeWords } from "@/components/migration/configure/preview/preview-words";

test("ids of a preview may be separated as one likes, and the first wrong one is named", () => {
  expect(idsIn(" 001xx000003DGb1, 001xx000003DGb1AAG;\n")).toEqual(["001xx000003DGb1", "001xx000003DGb1AAG"]);
  expect(faultOf(["001xx000003DGb1", "foo"])).toBe("“foo” is no Salesforce id: 15 or 18 letters and digits.");
  expect(faultOf(["001xx000003DGb1", "001xx000003DGb1AAG"])).toBeNull();
  expect(faultOf(Array.from({ length: 26 }, () => "001xx000003DGb1"))).toContain("26 ids are more than the 25");
});

test("an owner who becomes nobody deserves a look, one who is a member does not", () => {
  expect(changeWords({ change: "owner", value: null })).toEqual({ label: "No owner: not a member", isLoss: true });
  expect(changeWords({ change: "owner", value: "018f0000" }).isLoss).toBeUndefined();
});
