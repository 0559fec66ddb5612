/**
 * The name of the product, wherever the service says it. Its mark is in `components/shell/brand.tsx` and
 * `app/icon.svg`.
 */
export const PRODUCT_NAME = "Customer Relationship Service";
