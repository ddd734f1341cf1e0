import type { Carried, Context } from '../operation.ts';
import { alertsText } from './alerts-text.ts';
import { documentTable, pausedAccounts } from './document-list.ts';
import { documentFacts } from './facts.ts';

const most = 50;

/** What needs a person's attention, the oldest first. */
export async function pendingNow(
  { ledger }: Pick<Context, 'ledger'>,
  { store: only }: { store?: string | undefined },
): Promise<Carried> {
  const documents = (await ledger.tasks.documents(most))
    .map(({ document }) => document)
    .filter(({ storeId }) => only === undefined || storeId === only);
  const alerts = await ledger.alerts.open();
  const pauses = await ledger.pauses.list();
  const parts = [
    pausedAccounts(pauses),
    documents.length > 0 ? documentTable(documents, pauses) : '',
    alerts.length > 0 ? alertsText(alerts) : '',
  ];
  return {
    done: true,
    says: parts.filter((part) => part !== '').join('\n\n') || 'Todo está al día: nada requiere atención.',
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
