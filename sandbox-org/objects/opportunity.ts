import { auditFields, idField, ownerField, VIEWED } from "../generator/audit";
import { createdTime, date, datetime, DAY, ORG_NOW } from "../generator/clock";
import { Dice, type Value } from "../generator/dice";
import { below, pick } from "../generator/hash";
import type { Org } from "../generator/population";
import { randomRecord } from "../generator/relations";
import { lookupId } from "../generator/references";
import { hasLines, primaryContact } from "../generator/sales";
import { empty, field, READ_ONLY, REQUIRED } from "../schema/field";
import { COMPANY_HEADS, LEAD_SOURCES } from "../words/companies";
import { generated } from "./generated";

const dice = new Dice("Opportunity");
const CREATED = dice.salt("CreatedDate");
const STAGE = dice.salt("StageName");
const CLOSE = dice.salt("CloseDate");
const ACCOUNT = dice.salt("AccountId");

interface Stage {
  readonly name: string;
  readonly probability: number;
  readonly forecast: string;
  readonly isClosed: boolean;
  readonly isWon: boolean;
}

const open = (name: string, probability: number, forecast: string): Stage => ({
  name,
  probability,
  forecast,
  isClosed: false,
  isWon: false,
});
export const STAGES: readonly Stage[] = [
  open("Prospecting", 10, "Pipeline"),
  open("Qualification", 10, "Pipeline"),
  open("Needs Analysis", 20, "Pipeline"),
  open("Value Proposition", 50, "Pipeline"),
  open("Id. Decision Makers", 60, "Pipeline"),
  open("Perception Analysis", 70, "Best Case"),
  open("Proposal/Price Quote", 75, "Best Case"),
  open("Negotiation/Review", 90, "Commit"),
  { name: "Closed Won", probability: 100, forecast: "Closed", isClosed: true, isWon: true },
  { name: "Closed Lost", probability: 0, forecast: "Omitted", isClosed: true, isWon: false },
];
const FORECASTS = ["Omitted", "Pipeline", "Best Case", "Commit", "Closed"] as const;

const created: Value<number> = (org, n) => createdTime(org, CREATED, n, org.total.Opportunity);
const stage = (org: Org, n: number): Stage =>
  pick([...STAGES, ...STAGES.slice(8), ...STAGES.slice(8)], org.seed, STAGE, n);
const amount = dice.maybe("Amount", 850, dice.money("Amount", 400_000));
const closeAt = (org: Org, n: number): number =>
  Math.min(created(org, n) + below(300, org.seed, CLOSE, n) * DAY, ORG_NOW + 365 * DAY);
const head = dice.pick("Name", COMPANY_HEADS);

export const opportunity = generated(
  "Opportunity",
  [
    idField("Opportunity", "Opportunity ID"),
    ...auditFields("Opportunity", created),
    field(
      "reference",
      "AccountId",
      (org, n) => lookupId(org, "Account", randomRecord(org, "Account", ACCOUNT, n, 80), n),
      {
        referenceTo: ["Account"],
      },
    ),
    field("boolean", "IsPrivate", dice.chance("IsPrivate", 20)),
    field("string", "Name", (org, n) => `${head(org, n)} – ${n}`, {
      ...REQUIRED,
      length: 120,
      nameField: true,
      idLookup: true,
    }),
    field("textarea", "Description", dice.maybe("Description", 300, dice.text("Description", 32_000)), {
      length: 32_000,
    }),
    field("picklist", "StageName", (org, n) => stage(org, n).name, {
      ...REQUIRED,
      label: "Stage",
      picklist: STAGES.map(({ name }) => name),
    }),
    field("currency", "Amount", amount),
    field("percent", "Probability", (org, n) => stage(org, n).probability, {
      label: "Probability (%)",
      defaultedOnCreate: true,
    }),
    field(
      "currency",
      "ExpectedRevenue",
      (org, n) => {
        const value = amount(org, n);
        return value === null ? null : (value * stage(org, n).probability) / 100;
      },
      READ_ONLY,
    ),
    field("date", "CloseDate", (org, n) => date(closeAt(org, n)), REQUIRED),
    field(
      "picklist",
      "Type",
      dice.picklist("Type", ["Existing Customer - Upgrade", "Existing Customer - Replacement", "New Customer"], 700),
      {
        label: "Opportunity Type",
        picklist: ["Existing Customer - Upgrade", "Existing Customer - Replacement", "New Customer"],
      },
    ),
    field(
      "string",
      "NextStep",
      dice.maybe("NextStep", 300, dice.pick("NextStep", ["Call", "Send quote", "Wait for budget"])),
    ),
    field("picklist", "LeadSource", dice.picklist("LeadSource", LEAD_SOURCES, 600), { picklist: LEAD_SOURCES }),
    field("boolean", "IsClosed", (org, n) => stage(org, n).isClosed, { ...READ_ONLY, label: "Closed" }),
    field("boolean", "IsWon", (org, n) => stage(org, n).isWon, { ...READ_ONLY, label: "Won" }),
    field("picklist", "ForecastCategoryName", (org, n) => stage(org, n).forecast, {
      defaultedOnCreate: true,
      picklist: FORECASTS,
    }),
    empty("reference", "CampaignId", { referenceTo: ["Campaign"] }),
    field("boolean", "HasOpportunityLineItem", hasLines, READ_ONLY),
    empty("reference", "Pricebook2Id", { referenceTo: ["Pricebook2"] }),
    ownerField("Opportunity"),
    field("reference", "ContactId", primaryContact, { updateable: false, referenceTo: ["Contact"] }),
    field("datetime", "LastStageChangeDate", (org, n) => datetime(created(org, n)), READ_ONLY),
    field(
      "date",
      "LastActivityDate",
      dice.maybe("LastActivityDate", 500, dice.date("LastActivityDate", Date.UTC(2020, 0, 1), ORG_NOW)),
      READ_ONLY,
    ),
    ...VIEWED,
  ],
  { label: "Opportunity", labelPlural: "Opportunities", feedEnabled: true },
);
