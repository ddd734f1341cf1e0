import type { OpenAlert } from '../src/domain/alerts.ts';
import type { LedgerReader } from '../src/ledger/read.ts';
import type { Action } from '../src/planner/action.ts';
import type { Audit } from './audit.ts';
import { type Closes, nameIn } from './close-days.ts';
import type { Evidence } from './evidence.ts';
import type { Played } from './play.ts';
import type { Sold } from './sold.ts';
import type { Stage } from './stage.ts';

/** What a person must do and nothing says: neither a document with its reason, an alert, `explain`, nor a close. */
export async function silentOf(
  { look }: Stage,
  played: Played,
  { asks, findings, alerts }: Audit,
  { named }: Closes,
): Promise<{ silent: string[]; told: number }> {
  const wrong = findings.flatMap(({ what, evidence }) =>
    evidence ? [{ what, evidence, told: isTold(evidence, alerts) }] : [],
  );
  const open = [...asks, ...wrong].filter(({ told, evidence: { sold } }) => !told && !isClosed(sold, named));
  const explained = await look((ledger) =>
    Promise.all(open.map(({ evidence }) => isExplained(ledger, evidence.sold))),
  );
  const silent = open.filter((_, at) => !explained[at]);
  return {
    silent: [...played.silent, ...silent.map(({ what }) => what)],
    told: asks.filter((one) => !silent.includes(one)).length,
  };
}

/** Whether a close speaks of this sale. Where the id was another sale's before, the difference must be about the two. */
function isClosed({ storeId, name, marks }: Sold, named: Closes['named']): boolean {
  const codes = named.get(nameIn(storeId, name)) ?? new Set();
  if (!marks.has('id-again')) return codes.size > 0;
  return codes.has('document-of-other-sale') || codes.has('order-without-document');
}

/** Whether a person learns of a sale that waits for one: by a document with its reason, or by an alert that names it. */
export function isTold({ sold, ledger }: Evidence, alerts: readonly OpenAlert[]): boolean {
  const waits = ledger.some(
    ({ state, reason }) => ['held', 'manual', 'rejected'].includes(state) && reason !== null,
  );
  return waits || alerts.some((alert) => isAbout(alert, sold, ledger));
}

function isAbout({ code, subject, what, cure }: OpenAlert, sold: Sold, ledger: Evidence['ledger']): boolean {
  if (ledger.some(({ id }) => id === subject)) return true;
  // It says that the totals of orders edited since the copy are to be compared.
  if (code === 'ledger-older-than-service' && sold.marks.has('edited'))
    return ledger.some(({ ruc }) => subject.startsWith(ruc));
  const text = [subject, what, cure].join(' ');
  // What concerns a shop or its beginning concerns all its orders.
  if (
    (code.startsWith('shop-') || code === 'history-in-doubt') &&
    new RegExp(`\\b${sold.storeId}\\b`).test(text)
  )
    return true;
  return names(text, sold.id) || names(text, sold.name);
}

/** "pedido #12", "…/12", not "12 documentos". */
const names = (text: string, name: string): boolean =>
  new RegExp(`(#|/|:|"|pedido |order )${name.replace('#', '')}(?!\\d)`, 'i').test(text);

/** What `explain` says of a sale: a hold, a person's decision, or why its work does not get done. */
export async function isExplained({ stories }: LedgerReader, { id, storeId }: Sold): Promise<boolean> {
  const found = await stories.find(id);
  return found
    .filter(({ order }) => order.storeId === storeId)
    .some(
      ({ order, work }) =>
        ((order.decision ?? []) as Action[]).some(({ action }) => action === 'hold' || action === 'manual') ||
        work.some(({ attempts, reason }) => attempts > 0 && reason !== null),
    );
}
