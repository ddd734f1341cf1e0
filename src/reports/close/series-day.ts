import type { Day } from '../../domain/clock.ts';
import { documentCodes, numberIn, type Series } from '../../domain/document.ts';
import { toAmount } from '../../domain/money.ts';
import type { Store } from '../../domain/settings.ts';
import { readAccessKey } from '../../service/event.ts';
import { type AccountingDeps, askService } from '../ask-service.ts';
import type { OpenSeries } from '../chosen-stores.ts';
import type { Difference, Foreign } from './day-close.ts';

interface Outside {
  differences: Difference[];
  foreign: Foreign[];
  unanswered: string[];
}

const bare = { store: null, order: null, number: null };

export async function gapsOfDay(
  { ledger }: Pick<AccountingDeps, 'ledger'>,
  series: readonly OpenSeries[],
  day: Day,
): Promise<Difference[]> {
  const found: Difference[] = [];
  for (const one of series)
    for (const gap of await ledger.days.gaps(one, { first: one.first, from: day, to: day })) {
      const { to } = gap;
      const from = to + 1 >= one.first ? Math.max(gap.from, one.first) : gap.from;
      if (from > to) continue;
      const what = one.codDoc === documentCodes.factura ? 'facturas' : 'notas de crédito';
      const range =
        from === to
          ? `falta el número ${numberIn(one, from)}`
          : `faltan los números ${numberIn(one, from)} a ${numberIn(one, to)}`;
      found.push({
        ...bare,
        code: 'number-gap',
        number: numberIn(one, from),
        sentence: `En la serie de ${what} del RUC ${one.ruc} ${range}: ningún documento del registro ${from === to ? 'lo' : 'los'} lleva. Si los emitió otro sistema, configure otro punto de emisión para uno de los dos. Si el registro se restauró de una copia, ${from === to ? 'el número lo asignó el registro perdido y ya no se usa' : 'los números los asignó el registro perdido y ya no se usan'}: deje constancia. Si no, recupere el registro de un respaldo.`,
      });
    }
  return found;
}

/** Only the access key names their series; those without one are in closes of all stores alone (`series` null). */
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

export interface StrayKey {
  accessKey: string;
  order: { name: string; store: Store } | null;
  reportedBy: readonly string[];
}

/** A key of a webhook counts once the service confirms it to the account of the key's RUC. */
export async function strays(
  deps: Pick<AccountingDeps, 'ledger' | 'accounts' | 'revoked' | 'service'>,
  stores: readonly Store[],
  series: readonly Series[],
  keys: Iterable<StrayKey>,
): Promise<Outside> {
  const outside: Outside = { differences: [], foreign: [], unanswered: [] };
  for (const { accessKey, order, reportedBy } of keys) {
    if (await deps.ledger.documents.byAccessKey(accessKey)) continue;
    const { ruc_emisor: ruc, ambiente, tipo_comprobante: codDoc, numero } = readAccessKey(accessKey);
    const issuer = stores.find((store) => store.issuer.ruc === ruc && store.issuer.ambiente === ambiente);
    if (!issuer && !order) continue;
    const account = issuer?.account ?? order?.store.account;
    const mayReport = (id: string) => id === account?.id || !deps.accounts.has(id);
    if (!account || (!order && !reportedBy.some(mayReport))) continue;
    const found = await askService(deps, { account: account.id, keyHash: account.keyHash }, accessKey);
    const total = found.kind === 'authorized' ? toAmount(found.facts.importeTotal) : null;
    const worth = total === null ? '' : ` por ${total}`;
    if (order)
      outside.differences.push({
        code: 'document-unknown',
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
        code: 'document-unknown',
        number: numero,
        sentence: `El servicio autorizó el documento ${numero}${worth} en la serie de este sistema, y el registro no lo tiene: si lo emitió otro sistema o una persona, asígnele otro punto de emisión.`,
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
