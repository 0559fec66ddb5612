/** The address of a database, with a host: that of a socket (`postgresql://user@/crm?host=/run`) is no URL without. */
export function withHost(databaseUrl: string): string {
  return databaseUrl.replace("@/", "@localhost/");
}

/** What is wrong with the address of a database; null if nothing is. Never says the value: it contains a password. */
export function databaseUrlFault(value: string): string | null {
  const url = withHost(value);
  const protocol = URL.canParse(url) ? new URL(url).protocol : "";
  if (/^postgres(?:ql)?:$/.test(protocol) && isDecodable(value)) return null;
  return (
    "is not the address of a PostgreSQL database. Write it as postgresql://user:password@host:5432/database, with " +
    "special characters of the password percent-encoded (@ as %40)."
  );
}

function isDecodable(url: string): boolean {
  try {
    return decodeURIComponent(url) !== "";
  } catch {
    return false;
  }
}
