import { ACTION_ASKS } from "@/tests/http/matrix/support/action-asks";
import { tryAsks } from "@/tests/http/matrix/support/try-asks";

tryAsks(() => ACTION_ASKS, { shown: ({ route }) => !/convert|pipeline|record_counts|stage_changes/.test(route) });
