import { IDS, RECORD_EXAMPLES } from "@/lib/http/openapi/examples/records";

export const STAGE_CHANGE_EXAMPLE = {
  id: "019d017a-68dc-70b9-a879-9f32453a478c",
  from_stage: "qualification",
  to_stage: "proposal",
  changed_at: RECORD_EXAMPLES.opportunities.stage_changed_at,
  changed_by_id: IDS.user,
};

export const PIPELINE_EXAMPLE = {
  data: [
    {
      stage: "proposal",
      opportunities: 3,
      overdue: 1,
      amounts: [
        { currency: "CHF", opportunities: 1, amount: 12000, weighted: 6000 },
        { currency: "EUR", opportunities: 2, amount: 48200.5, weighted: 24100.25 },
      ],
    },
  ],
};
