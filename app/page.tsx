import { redirect } from "next/navigation";

/** The migration is what people come for; that page asks for a sign-in first. */
export default function StartPage() {
  redirect("/migration");
}
