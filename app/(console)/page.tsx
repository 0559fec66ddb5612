import { requirePerson } from "@/app/session";
import { Home } from "@/components/home/home";

export const metadata = { title: "Home" };

export default async function HomePage() {
  const person = await requirePerson("/");
  return <Home isAdmin={person.role === "admin"} />;
}
