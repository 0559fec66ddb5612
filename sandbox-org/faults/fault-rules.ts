import { roll, salt } from "../generator/hash";
import type { Call, Reply } from "../server/call";
import { presetOf } from "./presets";
import type { FaultRule } from "./rule";

export interface TriggeredFault {
  readonly rule: FaultRule;
  /** Null when the rule only delays the answer. */
  readonly reply: Reply | null;
}

const PROBABILITY = salt("fault.luck");

interface RuleState {
  readonly rule: FaultRule;
  matched: number;
  triggered: number;
}

const includes = (text: string, part: string): boolean => text.toLowerCase().includes(part.toLowerCase());

/** How many fields the outermost SELECT of a statement names; 0 for anything else. */
function selectedFields(statement: string): number {
  const selected = /SELECT\s+(.*?)\s+FROM\s/is.exec(statement)?.[1];
  return selected === undefined ? 0 : selected.split(",").length;
}

/** True when every condition of the rule holds. */
function matches(rule: FaultRule, call: Call, object: string | null): boolean {
  const { method, path, pathPattern, object: name, soql, fieldsAbove } = rule;
  const statement = call.search.get("q") ?? call.body;
  const checks = [
    method === undefined || method.toUpperCase() === call.method,
    path === undefined || call.path.includes(path),
    pathPattern === undefined || new RegExp(pathPattern).test(call.path),
    name === undefined || name.toLowerCase() === object?.toLowerCase(),
    soql === undefined || includes(statement, soql),
    fieldsAbove === undefined || selectedFields(statement) > fieldsAbove,
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

/** The org's fault rules. The first one that is due decides. */
export class FaultRules {
  private states: RuleState[] = [];

  constructor(private readonly seed: number) {}

  get rules(): { rule: FaultRule; matched: number; triggered: number }[] {
    return this.states;
  }

  set(rules: readonly FaultRule[]): void {
    this.states = rules.map((rule) => ({ rule, matched: 0, triggered: 0 }));
  }

  add(rule: FaultRule): void {
    this.states.push({ rule, matched: 0, triggered: 0 });
  }

  /** Removes the rules with that id. Null removes all rules. */
  remove(id: string | null): void {
    this.states = id === null ? [] : this.states.filter(({ rule }) => rule.id !== id);
  }

  /** The fault of this request, or null. */
  trigger(call: Call, objectOf: (call: Call) => string | null): TriggeredFault | null {
    const object = this.states.some(({ rule }) => rule.object !== undefined) ? objectOf(call) : null;
    for (const state of this.states) {
      if (!matches(state.rule, call, object)) continue;
      state.matched += 1;
      if (!this.isDue(state)) continue;
      state.triggered += 1;
      return { rule: state.rule, reply: replyOf(state.rule) };
    }
    return null;
  }

  private isDue({ rule, matched, triggered }: RuleState): boolean {
    const turn = matched - (rule.after ?? 0);
    if (turn <= 0 || triggered >= (rule.times ?? Infinity)) return false;
    if (rule.every !== undefined && turn % rule.every !== 0) return false;
    return rule.probability === undefined || roll(this.seed, PROBABILITY, matched) < rule.probability * 2 ** 32;
  }
}
