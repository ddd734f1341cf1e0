import pc from 'picocolors';
import type { Action } from '../planner/action.ts';
import { explainAction } from '../planner/explain/action.ts';
import { indent, type ToldLine } from '../planner/explain/text.ts';

/** Why an action is what it is (src/planner/explain/), in the colours of the terminal. */
export function explain(action: Action): string {
  const parts = explainAction(action).flatMap(({ title, lines }) => [title, ...indent(lines.map(coloured))]);
  return indent(indent(parts)).join('\n');
}

const colours: Record<ToldLine['tone'], (text: string) => string> = {
  missing: pc.red,
  'passed-over': pc.dim,
  warning: pc.yellow,
};

const coloured = (line: string | ToldLine): string =>
  typeof line === 'string' ? line : colours[line.tone](line.text);
