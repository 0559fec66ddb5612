import { redirect } from "next/navigation";

/** The migration is what people come for; the console's layout asks for a sign-in first. */
export default function StartPage() {
  redirect("/migration");
}
