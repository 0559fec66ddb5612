import { logUnavailability, unavailability } from "@/lib/unavailable";
import { htmlPage } from "@/lib/http/pages/html-page";

/** Answers a browser by `answer`, or with a page that says why and when to try again if the database is unavailable. */
export async function orUnavailablePage(answer: () => Promise<Response>): Promise<Response> {
  try {
    return await answer();
  } catch (error) {
    const outage = unavailability(error);
    if (!outage) throw error;
    logUnavailability(outage);
    const title = "The service is unavailable at the moment";
    const page = htmlPage({ status: 503, title, paragraphs: [`Reload this page in ${outage.retryAfter} seconds.`] });
    page.headers.set("retry-after", String(outage.retryAfter));
    return page;
  }
}
