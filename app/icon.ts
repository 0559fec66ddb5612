import { markSvg } from "@/lib/brand";

export const contentType = "image/svg+xml";

/** The mark in the browser's tab, in colors that stand on a light and on a dark one. */
export default function Icon(): Response {
  const icon = markSvg({
    root: "",
    own: 'stroke="#176a57"',
    coming: 'stroke="#c98d12" stroke-opacity=".85"',
  });
  return new Response(icon, { headers: { "content-type": contentType } });
}
