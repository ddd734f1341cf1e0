import type { Day } from '../../domain/calendar.ts';
import { documentCodes, type Series } from '../../domain/document.ts';
import { toAmount } from '../../domain/money.ts';
import type { Store } from '../../domain/settings.ts';
import { readAccessKey } from '../../service/access-key.ts';
import { askService } from '../ask-service.ts';
import type { AccountingDeps } from '../deps.ts';
import type { OpenSeries } from '../open-series.ts';
import type { Difference, Foreign } from './day-close.ts';

/** What stands outside of our documents: numbers nobody has, and documents nobody here knows. */
export interface Outside {
  differences: Difference[];
  foreign: Foreign[];
  /** Accounts whose service did not answer about a key. */
  unanswered: string[];
}

const pad = (number: number): string => String(number).padStart(9, '0');

const textOf = ({ establecimiento, puntoEmision }: Series, number: number): string =>
  `${establecimiento}-${puntoEmision}-${pad(number)}`;

const bare = { store: null, order: null, number: null };

/** Gaps in the numbers that were given on a day: the next number after a gap bears that date, or nothing follows it. */
export async function gapsOfDay(
  { ledger }: Pick<AccountingDeps, 'ledger'>,
  series: readonly OpenSeries[],
  day: Day,
): Promise<Difference[]> {
  const found: Difference[] = [];
  for (const one of series)
    for (const { from, to } of await ledger.days.gaps(one, { first: one.first, from: day, to: day })) {
      const what = one.codDoc === documentCodes.factura ? 'facturas' : 'notas de crédito';
      const range =
        from === to
          ? `el número ${textOf(one, from)}`
          : `los números ${textOf(one, from)} a ${textOf(one, to)}`;
      found.push({
        ...bare,
        code: 'number-gap',
        number: textOf(one, from),
        sentence: `En la serie de ${what} del RUC ${one.ruc} falta ${range}: ningún documento del registro lo lleva. Si los emitió otro sistema, configure otro punto de emisión para uno de los dos; si no, recupere el registro de un respaldo.`,
      });
    }
  return found;
}

/**
 * What left, while its document is no longer there. Whose it was only its access key tells: without one it is told by
 * closes of all stores alone (`series` null).
 */
export async function removedOn(
  { ledger }: Pick<AccountingDeps, 'ledger'>,
  day: Day,
  series: readonly Series[] | null,
): Promise<Difference[]> {
  const removed = (await ledger.days.orphans(day)).filter(
    ({ accessKey }) => series === null || (accessKey !== null && isOfSeries(series, accessKey)),
  );
  return removed.map(({ secuencial, accessKey, total }) => {
    const number = accessKey === null ? secuencial : readAccessKey(accessKey).numero;
    return {
      ...bare,
      code: 'document-removed' as const,
      number,
      sentence: `Alguien quitó del registro el documento ${number} por ${toAmount(total)}, que ya se había enviado: recupere el registro de un respaldo.`,
    };
  });
}

/** A key found on an order or told by the service. */
export interface StrayKey {
  accessKey: string;
  /** The order that carries it. */
  order: { name: string; store: Store } | null;
  /** Accounts whose webhook told of it. */
  toldBy: readonly string[];
}

/**
 * Names each key that no document of the ledger has. What a webhook told is believed once the service says it to the
 * account that issues for the key's RUC, and asked only where that account told it, or one that left the config.
 */
export async function strays(
  deps: Pick<AccountingDeps, 'ledger' | 'accounts' | 'revoked' | 'service'>,
  stores: readonly Store[],
  series: readonly Series[],
  keys: Iterable<StrayKey>,
): Promise<Outside> {
  const outside: Outside = { differences: [], foreign: [], unanswered: [] };
  for (const { accessKey, order, toldBy } of keys) {
    if (await deps.ledger.documents.byAccessKey(accessKey)) continue;
    const { ruc_emisor: ruc, ambiente, tipo_comprobante: codDoc, numero } = readAccessKey(accessKey);
    const issuer = stores.find((store) => store.issuer.ruc === ruc && store.issuer.ambiente === ambiente);
    if (!issuer && !order) continue;
    const account = issuer?.account ?? order?.store.account;
    const speaks = (id: string) => id === account?.id || !deps.accounts.has(id);
    if (!account || (!order && !toldBy.some(speaks))) continue;
    const found = await askService(deps, { account: account.id, keyHash: account.keyHash }, accessKey);
    const total = found.kind === 'authorized' ? toAmount(found.facts.importeTotal) : null;
    const worth = total === null ? '' : ` por ${total}`;
    if (order)
      outside.differences.push({
        code: 'unknown-on-order',
        store: order.store.id,
        order: order.name,
        number: numero,
        sentence: `El pedido ${order.name} lleva el documento ${numero}${worth}, que el registro no tiene: recupere el registro de un respaldo, o compruebe quién lo emitió.`,
      });
    else if (found.kind === 'unanswered') outside.unanswered.push(account.id);
    else if (total === null) continue;
    else if (isOfSeries(series, accessKey))
      outside.differences.push({
        ...bare,
        code: 'unknown-in-series',
        number: numero,
        sentence: `El servicio autorizó el documento ${numero}${worth} en la serie de este sistema, y el registro no lo tiene: si lo emitió otro sistema o una persona, déle otro punto de emisión.`,
      });
    else outside.foreign.push({ accessKey, number: numero, codDoc, total });
  }
  return outside;
}

function isOfSeries(series: readonly Series[], accessKey: string): boolean {
  const { ruc_emisor: ruc, ambiente, tipo_comprobante: codDoc, numero } = readAccessKey(accessKey);
  return series.some(
    (one) =>
      one.ruc === ruc &&
      one.ambiente === ambiente &&
      one.codDoc === codDoc &&
      numero.startsWith(`${one.establecimiento}-${one.puntoEmision}-`),
  );
}
