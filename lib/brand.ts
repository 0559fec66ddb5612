/** The name of the product, wherever the service says it. */
export const PRODUCT_NAME = "Customer Relationship Service";

/** The mark: two rings that meet, for the records here and those that come in. Each place gives them its colors. */
export const MARK = {
  viewBox: "0 0 32 32",
  strokeWidth: 3.5,
  rings: {
    own: { cx: 12.5, cy: 16, r: 8 },
    coming: { cx: 19.5, cy: 16, r: 8 },
  },
};

/** The mark as an SVG document. `attributes` are of its root and of each ring, written as in the document. */
export function markSvg(attributes: { root: string; own: string; coming: string }): string {
  const { viewBox, strokeWidth, rings } = MARK;
  const ring = ({ cx, cy, r }: typeof rings.own, more: string) =>
    `<circle cx="${cx}" cy="${cy}" r="${r}" fill="none" stroke-width="${strokeWidth}" ${more}/>`;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="${viewBox}" ${attributes.root}>\
${ring(rings.own, attributes.own)}${ring(rings.coming, attributes.coming)}</svg>`;
}
