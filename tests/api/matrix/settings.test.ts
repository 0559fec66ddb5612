import { SETTINGS_ASKS } from "./settings-asks";
import { tryAsks } from "./try-asks";

tryAsks(() => SETTINGS_ASKS, { shown: ({ route }) => !/^DELETE .*(clients|grants)\/\{id\}$/.test(route) });
