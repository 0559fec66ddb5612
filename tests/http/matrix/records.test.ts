import { RECORD_ASKS } from "@/tests/http/matrix/support/record-asks";
import { tryAsks } from "@/tests/http/matrix/support/try-asks";

tryAsks(() => RECORD_ASKS, { shown: ({ route }) => !route.startsWith("DELETE") });
