import type { forecast_category, opportunity_stage } from "@/lib/generated/prisma/enums";

interface StageMeaning {
  /** Percent. */
  probability: number;
  forecast_category: forecast_category;
}

/** What a stage says of an opportunity unless its owner says otherwise: the defaults of Salesforce's sales process. */
export const STAGES: Record<opportunity_stage, StageMeaning> = {
  prospecting: { probability: 10, forecast_category: "pipeline" },
  qualification: { probability: 10, forecast_category: "pipeline" },
  needs_analysis: { probability: 20, forecast_category: "pipeline" },
  value_proposition: { probability: 50, forecast_category: "pipeline" },
  decision_makers: { probability: 60, forecast_category: "pipeline" },
  perception_analysis: { probability: 70, forecast_category: "best_case" },
  proposal: { probability: 75, forecast_category: "best_case" },
  negotiation: { probability: 90, forecast_category: "commit" },
  closed_won: { probability: 100, forecast_category: "closed" },
  closed_lost: { probability: 0, forecast_category: "omitted" },
};
