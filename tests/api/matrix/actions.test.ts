import { ACTION_ASKS } from "./action-asks";
import { tryAsks } from "./try-asks";

tryAsks(() => ACTION_ASKS, { shown: ({ route }) => !/convert|stage_changes/.test(route) });
