export const COMPANY_HEADS = [
  "Acme", "Globex", "Initech", "Umbrella", "Stark", "Wayne", "Hooli", "Vandelay", "Nordlicht", "Müller & Söhne",
  "Sørensen", "Société Générale du Bois", "北京机械", "株式会社サクラ", "شركة النور", "חברת אור", "Завод Луч", "Ñandú",
  "Crème", "O'Reilly", "“Quoted”", "Tom & Jerry's", "A/B Testing", "🚀 Rocket", "Fuchs", "Bäckerei Öl", "Blue Sky",
  "Delta", "Orion", "Polar", "Sigma", "Titan", "Vertex", "Zenith", "Alpine", "Baltic", "Cobalt", "Dune",
] as const; // prettier-ignore

export const COMPANY_TAILS = [
  "GmbH", "Inc.", "Ltd", "S.A.", "AG", "LLC", "Kft.", "B.V.", "AB", "Oy", "S.r.l.", "& Co. KG", "Holding", "Group",
  "International", "Works",
] as const; // prettier-ignore

/** `-` marks an inactive picklist value. */
export const INDUSTRIES = [
  "Agriculture", "Apparel", "Banking", "Biotechnology", "Chemicals", "Communications", "Construction",
  "Consulting", "Education", "Electronics", "Energy", "Engineering", "Entertainment", "Environmental", "Finance",
  "Food & Beverage", "Government", "Healthcare", "Hospitality", "Insurance", "Machinery", "Manufacturing", "Media",
  "Not For Profit", "Recreation", "Retail", "Shipping", "Technology", "Telecommunications", "Transportation",
  "Utilities", "Other", "-Dot Com",
] as const; // prettier-ignore

export const ACCOUNT_TYPES = [
  "Prospect", "Customer - Direct", "Customer - Channel", "Channel Partner / Reseller", "Installation Partner",
  "Technology Partner", "Other", "-Ex-Customer",
] as const; // prettier-ignore

export const PRODUCT_LINES = ["Pumps", "Valves", "Drives", "Sensors", "Software", "-Boilers (until 2015)"] as const;
export const REGIONS = ["EMEA", "NA", "LATAM", "APAC", "DACH", "-Benelux (old)"] as const;
export const TIERS = ["Platinum", "Gold", "Silver", "*Bronze", "-Copper"] as const;
export const LEAD_SOURCES = ["Web", "Phone Inquiry", "Partner Referral", "Purchased List", "Other", "-Fax"] as const;
