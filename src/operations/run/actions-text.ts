import pc from 'picocolors';
import type { Action } from '../../planner/action.ts';
import { explainAction, indent, type ReportedLine } from '../../planner/explain/action.ts';

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

export function explain(action: Action): string {
  const parts = explainAction(action).flatMap(({ title, lines }) => [title, ...indent(lines.map(coloured))]);
  return indent(indent(parts)).join('\n');
}

const colours: Record<ReportedLine['tone'], (text: string) => string> = {
  missing: pc.red,
  'passed-over': pc.dim,
  warning: pc.yellow,
};

const coloured = (line: string | ReportedLine): string =>
  typeof line === 'string' ? line : colours[line.tone](line.text);
