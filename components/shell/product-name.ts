/** What the service calls itself, on every page. */
export const PRODUCT_NAME = "Customer Relationship Service";
