import { formatNumber } from "@/components/ui/text/format";

/** "1 delivery", "1,200 deliveries". */
export function formatDeliveries(count: number): string {
  return `${formatNumber(count)} ${count === 1 ? "delivery" : "deliveries"}`;
}
