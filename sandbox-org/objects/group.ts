import { auditFields, idField } from "../generator/audit";
import { QUEUES } from "../generator/owners";
import { field, READ_ONLY, REQUIRED } from "../schema/field";
import { generated } from "./generated";

const OTHERS = ["All Internal Users", "Managers", "Field Service"] as const;
const NAMES = [...QUEUES, ...OTHERS];

export const group = generated(
  "Group",
  [
    idField("Group", "Group ID"),
    field("string", "Name", (_, n) => NAMES[n] ?? "", { ...REQUIRED, length: 40, nameField: true }),
    field("string", "DeveloperName", (_, n) => (NAMES[n] ?? "").replaceAll(/[^A-Za-z0-9]+/g, "_"), {
      ...REQUIRED,
      length: 80,
    }),
    field("reference", "RelatedId", () => null, { ...READ_ONLY, referenceTo: ["User", "UserRole"] }),
    field(
      "picklist",
      "Type",
      (_, n) => (n < QUEUES.length ? "Queue" : n === QUEUES.length ? "Organization" : "Regular"),
      {
        ...REQUIRED,
        length: 40,
        picklist: ["Regular", "Role", "RoleAndSubordinates", "Organization", "Queue"],
      },
    ),
    field("email", "Email", (_, n) => (n < 2 ? `queue${n}@pumps.example` : null), { length: 255 }),
    field("boolean", "DoesSendEmailToMembers", (_, n) => n === 0),
    ...auditFields("Group", () => Date.UTC(2016, 11, 2, 9, 0, 0)).filter(({ name }) => name !== "IsDeleted"),
  ],
  { label: "Group", layoutable: false, searchable: false },
);
