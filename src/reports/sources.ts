import { setTimeout as pause } from 'node:timers/promises';
import { type Document, type DocumentState, documentKinds, type Series } from '../domain/document.ts';
import { CommandError } from '../domain/errors.ts';
import type { ListPage } from '../domain/listing.ts';
import { firstNumber, type Scope, type Store, seriesOf } from '../domain/settings.ts';
import { issuerOf, type JobDeps } from '../jobs/deps.ts';
import type { Span } from '../ledger/days.ts';
import type { AuthorizedXml } from '../service/authorized-xml.ts';

export type AccountingDeps = Pick<
  JobDeps,
  'ledger' | 'clock' | 'log' | 'alerts' | 'shop' | 'service' | 'accounts' | 'revoked' | 'invoiceFrom'
>;

export type Found =
  | { kind: 'authorized'; facts: AuthorizedXml; xml: string }
  | { kind: 'not-authorized'; state: 'error' | 'processing' }
  | { kind: 'nothing' }
  | { kind: 'unanswered'; account: string };

const tries = 3;
const pauseMs = 300;

/** The service has no list, and each API key sees only its own documents (spec, key rules). */
export async function askService(
  deps: Pick<AccountingDeps, 'accounts' | 'revoked' | 'service'>,
  issued: Pick<Document, 'account' | 'keyHash'>,
  accessKey: string,
): Promise<Found> {
  const key = issuerOf(deps, issued);
  const unanswered = { kind: 'unanswered', account: key?.account.id ?? issued.account } as const;
  if (!key) return unanswered;
  const calls = deps.service(key.account, null, key.keyHash);
  const xml = await patiently(() => calls.descargarXml(accessKey));
  if (xml.kind === 'found') return { kind: 'authorized', facts: xml.facts, xml: xml.xml };
  if (xml.kind !== 'not-found') return unanswered;
  const consult = await patiently(() => calls.consultarComprobante(accessKey));
  // An API key other than the issuing one does not see the document.
  if (consult.kind === 'not-found') return key.gone ? unanswered : { kind: 'nothing' };
  if (consult.kind !== 'found' || consult.state === 'authorized') return unanswered;
  return { kind: 'not-authorized', state: consult.state };
}

export async function askAnnulled(
  deps: Pick<AccountingDeps, 'accounts' | 'revoked' | 'service'>,
  issued: Pick<Document, 'account' | 'keyHash'>,
  accessKey: string,
): Promise<boolean> {
  const key = issuerOf(deps, issued);
  if (!key) return false;
  const consult = await deps.service(key.account, null, key.keyHash).consultarComprobante(accessKey);
  return consult.kind === 'found' && consult.annulled;
}

export async function patiently<T extends { kind: string; retryAfterMs?: number }>(
  ask: () => Promise<T>,
): Promise<T> {
  for (let n = 1; ; n += 1) {
    const answer = await ask();
    if ((answer.kind !== 'unknown' && answer.kind !== 'throttled') || n === tries) return answer;
    await pause(Math.max(answer.retryAfterMs ?? 0, n * pauseMs));
  }
}

/** Every row of a shop's list, page by page. */
export async function* everyRow<Row>(
  page: (cursor: string | null) => Promise<ListPage<Row>>,
): AsyncGenerator<Row> {
  let cursor: string | null = null;
  do {
    const { rows, next }: ListPage<Row> = await page(cursor);
    yield* rows;
    cursor = next;
  } while (cursor !== null);
}

const pageSize = 500;

/** Documents of these stores with an issue date in the span, in order of date. */
export async function* issuedDocuments(
  { ledger }: Pick<AccountingDeps, 'ledger'>,
  { stores, scope }: { stores: readonly Store[]; scope: string },
  span: Span & { states?: readonly DocumentState[] },
): AsyncGenerator<Document> {
  for (let after: Document | null = null; ; ) {
    const page: Document[] = await ledger.days.issued({ ...span, after, limit: pageSize });
    for (const one of page) if (isAbout(one, stores, scope)) yield one;
    after = page.at(-1) ?? null;
    if (page.length < pageSize) return;
  }
}

/** `scope`: a store's id, several ids with commas, or "*" for all. */
export interface ChosenStores {
  stores: Store[];
  scope: string;
}

/** Throws CommandError `store-unknown`. */
export function chosenStores(
  all: ReadonlyMap<string, Store>,
  id: string | undefined,
  scope: Scope | null = null,
): ChosenStores {
  const stores = scope?.stores ?? all;
  const store = stores.get(id ?? '');
  if (store) return { stores: [store], scope: store.id };
  if (id === undefined && (scope === null || stores.size > 0))
    return {
      stores: [...stores.values()],
      scope: scope?.label ?? '*',
    };
  throw new CommandError('store-unknown', {
    store: id ?? scope?.label ?? '',
    known: [...stores.keys()].join(', '),
    why: 'name',
  });
}

export type OpenSeries = Series & { first: number };

export function seriesOfStores(stores: Iterable<Store>): OpenSeries[] {
  const found = new Map<string, OpenSeries>();
  for (const store of stores)
    for (const kind of documentKinds) {
      const series = seriesOf(store, kind);
      const name = JSON.stringify(series);
      const first = Math.min(firstNumber(store, kind), found.get(name)?.first ?? Number.POSITIVE_INFINITY);
      found.set(name, { ...series, first });
    }
  return [...found.values()];
}

export const keyOf = ({ platform, shop }: Store) => ({ platform: platform.name, shop });
export const orderName = ({
  platform,
  shop,
  orderId,
}: Pick<Document, 'platform' | 'shop' | 'orderId'>): string => JSON.stringify([platform, shop, orderId]);
type Place = Pick<Document, 'platform' | 'shop' | 'ambiente'>;

const isOfShop =
  ({ platform, shop }: Place) =>
  (store: Store): boolean =>
    store.platform.name === platform && store.shop === shop;

export const isOf =
  (document: Place) =>
  (store: Store): boolean =>
    isOfShop(document)(store) && store.issuer.ambiente === document.ambiente;

/** A close of all stores includes shops no longer configured. */
export function isAbout(document: Place, stores: readonly Store[], scope: string): boolean {
  return stores.some(isOf(document)) || (scope === '*' && !stores.some(isOfShop(document)));
}
