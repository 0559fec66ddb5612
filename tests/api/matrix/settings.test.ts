import { SETTINGS_ASKS } from "./settings-asks";
import { tryAsks } from "./try-asks";

/** What answers with ids and counts alone. */
const UNTELLING = /^DELETE .*(clients|grants|members|sessions)\/\{\w+\}$|sessions|password_link$/;

tryAsks(() => SETTINGS_ASKS, { shown: ({ route }) => !UNTELLING.test(route) });
