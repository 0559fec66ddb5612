const SPECIAL: Record<string, string> = {
  id: "Id",
  ext_id: "External id",
  sku: "SKU",
  created_at: "Created",
  updated_at: "Updated",
  owner_id: "Owner",
  is_active: "Active",
  is_public: "Public",
  is_escalated: "Escalated",
  is_closed: "Closed",
  is_won: "Won",
};

const SPECIAL_VALUES: Record<string, string> = {
  email: "E-mail",
  email_inbound: "E-mail received",
  email_outbound: "E-mail sent",
};

/** A field's name in words: `billing_postal_code` is "Billing postal code", `account_id` is "Account". */
export function fieldLabel(name: string): string {
  return (Object.hasOwn(SPECIAL, name) && SPECIAL[name]) || inWords(name.replace(/_(id|at)$/, ""));
}

/** A fixed value in words: `waiting_on_customer` is "Waiting on customer". */
export function inWords(value: string): string {
  if (Object.hasOwn(SPECIAL_VALUES, value)) return SPECIAL_VALUES[value] ?? value;
  const text = value.replaceAll("_", " ");
  return text.charAt(0).toUpperCase() + text.slice(1);
}
