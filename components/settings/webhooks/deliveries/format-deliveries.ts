import { formatNumber } from "@/components/layout/format";

/** "1 delivery", "1,200 deliveries". */
export function formatDeliveries(count: number): string {
  return `${formatNumber(count)} ${count === 1 ? "delivery" : "deliveries"}`;
}
