import pc from 'picocolors';
import type { Order } from '../domain/order.ts';
import type { Action } from '../planner/action.ts';
import { explainAction } from '../planner/explain/action.ts';
import { indent, type ToldLine } from '../planner/explain/text.ts';

/** A plan for a person: one paragraph for each document, with its figures, and with the whole trace where asked. */
export function toText(order: Order, actions: readonly Action[], explained: boolean): string {
  return `Pedido ${order.name} por ${order.total} ${order.currency}\n${actionsText(actions, explained)}\n`;
}

/** What the planner says of each document, a paragraph each. */
export function actionsText(actions: readonly Action[], explained: boolean): string {
  const rows = actions.map((action) => {
    const why = explained ? explain(action) : '';
    return `  ${titleOf(action)}: ${verbs[action.action]}. ${action.reason}${figures(action)}${why && `\n${why}`}`;
  });
  return rows.join('\n');
}

const verbs: Record<Action['action'], string> = {
  emit: pc.green('emitir'),
  wait: pc.yellow('esperar'),
  hold: pc.red('retener'),
  manual: pc.red('a mano'),
  nothing: pc.dim('nada'),
};

const titleOf = ({ kind, identity }: Action): string =>
  kind === 'factura' ? 'factura' : `nota de crédito del reembolso ${identity.sourceId}`;

function figures({ kind, charged, document, difference }: Action): string {
  if (document === null) return '';
  const moved = kind === 'factura' ? 'cobrado' : 'devuelto';
  return `\n    ${moved} ${charged}, documento ${document}, diferencia ${difference}`;
}

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
