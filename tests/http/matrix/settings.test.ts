import { SETTINGS_ASKS } from "@/tests/http/matrix/support/settings-asks";
import { tryAsks } from "@/tests/http/matrix/support/try-asks";

/** Operations that return only ids and counts. */
const UNTELLING = /^DELETE .*(clients|grants|members|sessions)\/\{\w+\}$|sessions|password_link$|^GET .*organization/;

tryAsks(() => SETTINGS_ASKS, { shown: ({ route }) => !UNTELLING.test(route) });
