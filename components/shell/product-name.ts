/** The name of the product on every page. */
export const PRODUCT_NAME = "Customer Relationship Service";
