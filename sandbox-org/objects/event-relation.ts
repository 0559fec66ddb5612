import { auditFields, idField } from "../generator/audit";
import { createdTime, datetime, DAY } from "../generator/clock";
import { Dice, type Value } from "../generator/dice";
import { invitedTo, inviteeId } from "../generator/invitees";
import { idOf } from "../generator/references";
import { field } from "../schema/field";
import { event } from "./event";
import { generated } from "./generated";

const dice = new Dice("EventRelation");
const CREATED = dice.salt("CreatedDate");
const STATUSES = ["*New", "Accepted", "Declined"] as const;

const created: Value<number> = (org, n) => createdTime(org, CREATED, n, org.total.EventRelation);
const status = dice.picklist("Status", STATUSES, 1000);
const words = dice.maybe("Response", 400, dice.pick("Response", ["Running late", "Bin im Urlaub 🌴", "出張中"]));

const onceAnswered =
  <T>(value: Value<T>): Value<T | null> =>
  (org, n) =>
    status(org, n) === "New" ? null : value(org, n);

/**
 * The invitees of group events. In this org Shared Activities are off: there are neither IsWhat, IsParent and
 * IsInvitee, which come with them, nor TaskRelation.
 */
export const eventRelation = generated(
  "EventRelation",
  [
    idField("EventRelation", "Event Relation ID"),
    field("reference", "RelationId", inviteeId, {
      nillable: false,
      updateable: false,
      referenceTo: ["Calendar", "Contact", "Lead", "User"],
    }),
    field("reference", "EventId", (org, n) => idOf(org, "Event", invitedTo(org, n)), {
      nillable: false,
      updateable: false,
      referenceTo: ["Event"],
      cascadeDelete: true,
    }),
    field("picklist", "Status", status, { length: 40, picklist: STATUSES }),
    field(
      "datetime",
      "RespondedDate",
      onceAnswered((org, n) => datetime(created(org, n) + DAY)),
      { label: "Response Date" },
    ),
    field("string", "Response", onceAnswered(words)),
    ...auditFields("EventRelation", created),
  ],
  {
    label: "Event Relation",
    layoutable: false,
    searchable: false,
    triggerable: false,
    isArchived: (org, n) => event.isArchived(org, invitedTo(org, n)),
  },
);
