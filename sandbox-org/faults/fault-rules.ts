import { roll, salt } from "../generator/hash";
import type { Call, Reply } from "../server/call";
import { presetOf } from "./presets";
import type { FaultRule } from "./rule";

export interface Strike {
  readonly rule: FaultRule;
  /** Null when the rule only delays. */
  readonly reply: Reply | null;
}

const LUCK = salt("fault.luck");

interface Armed {
  readonly rule: FaultRule;
  seen: number;
  struck: number;
}

const includes = (text: string, part: string): boolean => text.toLowerCase().includes(part.toLowerCase());

/** Every condition that the rule names must hold. */
function matches(rule: FaultRule, call: Call, object: string | null): boolean {
  const { method, path, pathPattern, object: wanted, soql } = rule;
  const checks = [
    method === undefined || method.toUpperCase() === call.method,
    path === undefined || call.path.includes(path),
    pathPattern === undefined || new RegExp(pathPattern).test(call.path),
    wanted === undefined || wanted.toLowerCase() === object?.toLowerCase(),
    soql === undefined || includes(call.search.get("q") ?? call.body, soql),
  ];
  return !checks.includes(false);
}

function replyOf(rule: FaultRule): Reply | null {
  const preset = rule.preset === undefined ? undefined : presetOf(rule.preset);
  const status = rule.status ?? preset?.status;
  if (status === undefined) return null;
  const body = rule.body ?? preset?.body ?? "";
  const headers = { ...preset?.headers, ...rule.headers };
  return typeof body === "string" ? { status, text: body, headers } : { status, json: body, headers };
}

/** The faults that are due, in the order in which they were given: the first that strikes decides. */
export class FaultRules {
  private armed: Armed[] = [];

  constructor(private readonly seed: number) {}

  get rules(): { rule: FaultRule; seen: number; struck: number }[] {
    return this.armed;
  }

  set(rules: readonly FaultRule[]): void {
    this.armed = rules.map((rule) => ({ rule, seen: 0, struck: 0 }));
  }

  add(rule: FaultRule): void {
    this.armed.push({ rule, seen: 0, struck: 0 });
  }

  /** Takes away the rules of that id; all of them, without one. */
  remove(id: string | null): void {
    this.armed = id === null ? [] : this.armed.filter(({ rule }) => rule.id !== id);
  }

  /** What happens to this request; null when nothing does. */
  strike(call: Call, objectOf: (call: Call) => string | null): Strike | null {
    const object = this.armed.some(({ rule }) => rule.object !== undefined) ? objectOf(call) : null;
    for (const armed of this.armed) {
      if (!matches(armed.rule, call, object)) continue;
      armed.seen += 1;
      if (!this.isDue(armed)) continue;
      armed.struck += 1;
      return { rule: armed.rule, reply: replyOf(armed.rule) };
    }
    return null;
  }

  private isDue({ rule, seen, struck }: Armed): boolean {
    const turn = seen - (rule.after ?? 0);
    if (turn <= 0 || struck >= (rule.times ?? Infinity)) return false;
    if (rule.every !== undefined && turn % rule.every !== 0) return false;
    return rule.probability === undefined || roll(this.seed, LUCK, seen) < rule.probability * 2 ** 32;
  }
}
