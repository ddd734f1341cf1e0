import type { OpenAlert } from '../src/domain/alerts.ts';
import type { LedgerReader } from '../src/ledger/read.ts';
import type { Action } from '../src/planner/action.ts';
import type { Audit } from './audit.ts';
import { type Closes, nameIn } from './close-days.ts';
import type { Evidence } from './evidence.ts';
import type { Played } from './play.ts';
import type { Sold } from './sold.ts';
import type { Stage } from './stage.ts';

/** Things a person must do that no document's reason, alert, `explain` or close mentions. */
export async function silentOf(
  { look }: Stage,
  played: Played,
  { forPerson, findings, alerts }: Audit,
  closes: Closes,
): Promise<{ silent: string[]; reported: number }> {
  const wrong = findings.flatMap(({ what, evidence }) =>
    evidence ? [{ what, evidence, reported: isReported(evidence, alerts) }] : [],
  );
  const open = [...forPerson, ...wrong].filter(
    ({ reported, evidence: { sold } }) => !reported && !isClosed(sold, closes),
  );
  const explained = await look((ledger) =>
    Promise.all(open.map(({ evidence }) => isExplained(ledger, evidence.sold))),
  );
  const silent = open.filter((_, at) => !explained[at]);
  return {
    silent: [...played.silent, ...silent.map(({ what }) => what)],
    reported: forPerson.filter((one) => !silent.includes(one)).length,
  };
}

/** Whether a close mentions this sale. If the id was another sale's before, the difference must name both. */
function isClosed({ storeId, name, marks }: Sold, { named, unread }: Closes): boolean {
  // A close that cannot read a shop stays incomplete and names the shop, whose sales need a check.
  if (marks.has('old-ledger') && unread.has(storeId)) return true;
  const codes = named.get(nameIn(storeId, name)) ?? new Set();
  if (!marks.has('id-again')) return codes.size > 0;
  return codes.has('document-of-other-sale') || codes.has('sale-without-document');
}

/** Whether a waiting sale is reported to a person: by a document with its reason, or by an alert that names it. */
export function isReported({ sold, ledger }: Evidence, alerts: readonly OpenAlert[]): boolean {
  const waits = ledger.some(
    ({ state, reason }) => ['held', 'manual', 'rejected'].includes(state) && reason !== null,
  );
  return waits || alerts.some((alert) => isAbout(alert, sold, ledger));
}

function isAbout(
  { code, subject, what, resolution }: OpenAlert,
  sold: Sold,
  ledger: Evidence['ledger'],
): boolean {
  if (ledger.some(({ id }) => id === subject)) return true;
  // It asks to compare the totals of orders edited since the copy.
  if (code === 'ledger-older-than-service' && sold.marks.has('edited'))
    return ledger.some(({ ruc }) => subject.startsWith(ruc));
  const text = [subject, what, resolution].join(' ');
  // An alert about a shop covers all its orders, unless it ends by itself before somebody reads it.
  if (
    code.startsWith('shop-') &&
    code !== 'shop-not-answering' &&
    new RegExp(`\\b${sold.storeId}\\b`).test(text)
  )
    return true;
  return names(text, sold.id) || names(text, sold.name);
}

/** "pedido #12", "…/12", not "12 documentos". */
const names = (text: string, name: string): boolean =>
  new RegExp(`(#|/|:|"|pedido |order )${name.replace('#', '')}(?!\\d)`, 'i').test(text);

/** What `explain` says about a sale: a hold, a person's decision, or why its job fails. */
export async function isExplained({ timelines }: LedgerReader, { id, storeId }: Sold): Promise<boolean> {
  const found = await timelines.find(id);
  return found
    .filter(({ order }) => order.storeId === storeId)
    .some(
      ({ order, jobs }) =>
        ((order.decision ?? []) as Action[]).some(({ action }) => action === 'hold' || action === 'manual') ||
        jobs.some(({ attempts, reason }) => attempts > 0 && reason !== null),
    );
}
