import { env } from "@/lib/env";
import { htmlPage } from "@/lib/http/html-page";

/** The answer to a form that was not sent from one of our own pages (cross-site request forgery, or the service opened by another address). */
export function foreignForm(): Response {
  return htmlPage({
    status: 403,
    title: "This form was sent from another address",
    paragraphs: [`Forms of this service count only when they are sent from ${env.APP_URL}. Nothing was changed.`],
    link: { href: env.APP_URL, text: "Open the service at its own address" },
  });
}
