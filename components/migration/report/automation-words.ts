import type { AutomationItem, Complexity } from "@/lib/migration/report/report-schema";

export type AutomationKind = AutomationItem["kind"];

export const NAMES: Record<AutomationKind, { one: string; many: string }> = {
  workflows: { one: "Workflow rule", many: "Workflow rules" },
  process_builder_flows: { one: "Process Builder flow", many: "Process Builder flows" },
  flows: { one: "Flow", many: "Other flows" },
  triggers: { one: "Trigger", many: "Triggers" },
  validation_rules: { one: "Validation rule", many: "Validation rules" },
};

export const LEVELS: Record<Complexity, { label: string; color: string }> = {
  none: { label: "None", color: "gray" },
  low: { label: "Low", color: "pine" },
  medium: { label: "Medium", color: "amber" },
  high: { label: "High", color: "rust" },
};
