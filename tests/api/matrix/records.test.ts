import { RECORD_ASKS } from "./record-asks";
import { tryAsks } from "./try-asks";

tryAsks(() => RECORD_ASKS, { shown: ({ route }) => !route.startsWith("DELETE") });
