import pc from 'picocolors';
import { isClearable, type OpenAlert } from '../../domain/alerts.ts';
import { scopeOf, storeOf } from '../../domain/settings.ts';
import type { Carried, Context } from '../operation.ts';
import { documentTable, pausedAccounts } from './document-list.ts';
import { documentFacts } from './facts.ts';

const most = 50;

export async function pendingNow(
  context: Pick<Context, 'ledger' | 'jobDeps' | 'stores' | 'by'>,
  { store: only }: { store?: string | undefined },
): Promise<Carried> {
  const ledger = only === undefined ? context.ledger : viewOf(context, only);
  const documents = (await ledger.tasks.documents(most)).map(({ document }) => document);
  const alerts = await ledger.alerts.open();
  const pauses = await ledger.pauses.list();
  const parts = [
    pausedAccounts(pauses),
    documents.length > 0 ? documentTable(documents, pauses) : '',
    alerts.length > 0 ? alertsText(alerts) : '',
  ];
  return {
    done: true,
    message: parts.filter((part) => part !== '').join('\n\n') || 'Todo está al día: nada requiere atención.',
    data: {
      waiting: await ledger.tasks.count(),
      documents: documents.map(documentFacts),
      alerts: alerts.map(({ about: _about, ...alert }) => alert),
      pausedAccounts: pauses.map(({ account, ambiente, cause, since }) => ({
        account,
        ambiente,
        cause,
        since,
      })),
    },
  };
}

/** Throws ConfigError `store-unknown`. */
function viewOf({ jobDeps, stores, by }: Pick<Context, 'jobDeps' | 'stores' | 'by'>, id: string) {
  storeOf({ stores }, id);
  return jobDeps.ledger.view(scopeOf([id], stores, by));
}

export function alertsText(open: readonly OpenAlert[]): string {
  if (open.length === 0) return 'No hay avisos abiertos.';
  return open
    .map(({ code, subject, what, resolution, since }) => {
      const clear = isClearable(code)
        ? `\n  Cuando lo haya revisado: facturapuente alerts clear ${code} ${subject.includes(' ') ? `"${subject}"` : subject}`
        : '';
      return `${pc.bold(what)}\n  ${resolution}\n  ${pc.dim(`${code} ${subject}, desde ${since}`)}${clear}`;
    })
    .join('\n\n');
}
