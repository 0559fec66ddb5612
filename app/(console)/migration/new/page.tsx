import { requireSession } from "@/app/session";
import { ConnectStep } from "@/components/migration/connect/connect-step";

export const metadata = { title: "Connect" };

interface Props {
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

export default async function ConnectPage({ searchParams }: Props) {
  const parameters = await searchParams;
  const text = (name: string) => (typeof parameters[name] === "string" ? parameters[name] : null);
  await requireSession("/migration/new");
  return (
    <ConnectStep instanceUrl={text("instance_url") ?? ""} connectionId={text("connection_id")} refusal={text("error_description") ?? text("error")} />
  );
}
