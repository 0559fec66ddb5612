import { counted, type RiskCheck, sees } from "@/lib/migration/report/risk-check";
import { countRecords } from "@/lib/migration/report/survey";

/** People who are an account and a contact at once. */
export const personAccounts: RiskCheck = async (facts) => {
  if (!sees(facts, "Account", "IsPersonAccount")) return [];
  const people = await countRecords(facts.client, "Account", ["IsPersonAccount = true"]);
  if (!people) return [];
  return [
    {
      severity: "info",
      code: "person_accounts",
      object: "Account",
      count: people,
      title: counted(people, "person account"),
      detail: "Each becomes an account with one contact, as Salesforce itself keeps it behind the scenes.",
      recommended_action: "Nothing.",
    },
  ];
};

/** Contacts that belong to no account: private to their owner in Salesforce. */
export const privateContacts: RiskCheck = async (facts) => {
  if (!sees(facts, "Contact", "AccountId")) return [];
  const contacts = await countRecords(facts.client, "Contact", ["AccountId = null"]);
  if (!contacts) return [];
  return [
    {
      severity: "info",
      code: "contacts_without_account",
      object: "Contact",
      count: contacts,
      title: `${counted(contacts, "contact belongs", "contacts belong")} to no account`,
      detail: "In Salesforce only their owners see them. Here every member of the organization will.",
      recommended_action: "Assign them to accounts, or delete in Salesforce what is to stay private, before you start.",
    },
  ];
};
