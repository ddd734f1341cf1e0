import fc from 'fast-check';
import { decimal, sum } from '../../../../src/domain/money.ts';
import type { Order, Refund } from '../../../../src/domain/order.ts';
import { generatedOrders } from '../../../mappers/generated-orders.ts';
import { invoiced, refundActions } from './cases.ts';
import { leftOf } from './credit-checks.ts';
import { type RefundSeed, refundSeeds, refundsOf, restOf } from './generated-refunds.ts';
import { type Kept, SmallLedger } from './small-ledger.ts';

const moves = [
  'show',
  'sync',
  'sync',
  'prepare',
  'leave',
  'process',
  'lose',
  'authorize',
  'reject',
  'mend',
] as const;
/** What happens next, and to which of those it may happen to. */
const schedule = fc.array(fc.tuple(fc.constantFrom(...moves), fc.nat(7)), { maxLength: 40 });

function step(ledger: SmallLedger, hidden: Refund[], [move, which]: [(typeof moves)[number], number]): void {
  const { documents } = ledger;
  const document = documents[which % Math.max(1, documents.length)];
  if (move === 'show') {
    const refund = hidden.splice(which % Math.max(1, hidden.length), 1);
    // The shop tells in any order, and at times again.
    ledger.shown.unshift(...refund);
  } else if (move === 'sync') ledger.sync();
  else if (document) act(ledger, document, move);
}

function act(ledger: SmallLedger, document: Kept, move: Exclude<(typeof moves)[number], 'show' | 'sync'>) {
  switch (move) {
    case 'prepare':
      return ledger.prepare(document);
    case 'leave':
      return ledger.leave(document);
    case 'process':
      return ledger.answer(document, 'processing');
    case 'lose':
      return ledger.answer(document, 'uncertain');
    case 'authorize':
      return ledger.answer(document, 'authorized');
    case 'reject':
      return ledger.answer(document, 'rejected');
    case 'mend':
      return ledger.fix(document);
  }
}

/** Everything comes to light, nothing is lost any more, and whoever has something to do does it. */
function settle(ledger: SmallLedger, hidden: Refund[]): void {
  ledger.shown.push(...hidden.splice(0));
  for (let round = 0; round < 40; round += 1) {
    let moved = ledger.sync();
    for (const document of [...ledger.documents]) {
      for (const move of ['mend', 'prepare', 'leave', 'authorize'] as const) {
        const did = act(ledger, document, move);
        // A draft alone is no progress.
        if (move !== 'prepare') moved ||= did;
      }
    }
    if (!moved) return;
  }
  throw new Error('the ledger never comes to rest');
}

const only = ['no-money', 'over', 'contradiction', 'no-detail', 'no-amount', 'pending'];
const plain = (seeds: readonly RefundSeed[]): boolean => seeds.every(({ odd }) => !only.includes(odd ?? ''));

export interface Seen {
  alike: number;
  netted: number;
  odd: number;
}

/** Whatever comes when, every refund is covered exactly once, and the documents are those of the plain order. */
export function checkInterleavings(taxIncluded: boolean, numRuns: number): Seen {
  const seen: Seen = { alike: 0, netted: 0, odd: 0 };
  const cases = fc.tuple(generatedOrders(taxIncluded), refundSeeds(4), fc.boolean(), schedule);
  fc.assert(
    fc.property(cases, ([order, seeds, rest, steps]) => {
      if (invoiced(order) === null) return;
      const some = refundsOf(order, seeds);
      const last = rest ? restOf(order, some) : null;
      const refunds = last ? [...some, last] : some;
      const ledger = new SmallLedger(order);
      const hidden = [...refunds];
      for (const one of steps) step(ledger, hidden, one);
      settle(ledger, hidden);
      const netted = coveredOnce(ledger, refunds);
      if (!plain(seeds)) {
        seen.odd += 1;
        return;
      }
      if (netted > 0) seen.netted += 1;
      else seen.alike += 1;
      asInPlainOrder(ledger, order, refunds);
    }),
    { numRuns },
  );
  return seen;
}

/** No refund is netted and credited, nor twice either; nothing goes beyond the factura. Answers how many were netted. */
function coveredOnce({ documents }: SmallLedger, refunds: readonly Refund[]): number {
  const standing = documents.filter(({ state }) => state === 'authorized');
  const facturas = standing.filter(({ kind }) => kind === 'factura');
  const credits = standing.filter(({ kind }) => kind === 'nota-credito');
  if (facturas.length > 1) throw new Error('two facturas');
  if (facturas.length === 0 && credits.length > 0) throw new Error('a nota de crédito of no factura');
  const sent = facturas[0]?.sent;
  const netted = sent?.nettedRefunds ?? [];
  for (const { id } of refunds) {
    const times = [...netted, ...credits.map(({ sourceId }) => sourceId)].filter((one) => one === id).length;
    if (times > 1) throw new Error(`refund ${id} is covered ${times} times`);
  }
  const contents = credits.flatMap((credit) => (credit.sent ? [credit.sent] : []));
  if (sent) leftOf(sent, contents);
  const numbers = documents.flatMap(({ secuencial }) => secuencial ?? []);
  if (new Set(numbers).size !== numbers.length) throw new Error('a number twice');
  return netted.length;
}

/** Each refund's money is in the documents, or all of it went back before there were any. */
function asInPlainOrder({ documents }: SmallLedger, order: Order, refunds: readonly Refund[]): void {
  const canonical = refundActions({ ...order, refunds: [...refunds] }, invoiced(order) ?? []);
  const odd = canonical.find(({ action }) => action !== 'emit');
  if (odd) throw new Error(`${odd.code}: ${odd.reason}`);
  const standing = documents.filter(({ state }) => state !== 'cancelled');
  const unfinished = standing.find(({ state }) => state !== 'authorized');
  if (unfinished)
    throw new Error(`${unfinished.kind} ${unfinished.state}: ${unfinished.code} ${unfinished.reason}`);
  const factura = standing.find(({ kind }) => kind === 'factura')?.sent;
  const all = sum(refunds.map(({ amount }) => amount ?? '0'));
  const left = decimal(order.total).minus(all);
  if (!factura) {
    if (!left.isZero()) throw new Error(`no factura for ${left}`);
    return;
  }
  for (const { id, amount } of refunds) {
    const credit = standing.find(({ sourceId, kind }) => kind === 'nota-credito' && sourceId === id)?.sent;
    if (factura.nettedRefunds.includes(id) === (credit !== undefined))
      throw new Error(`refund ${id} uncovered`);
    const off = decimal(credit?.total ?? amount ?? '0').minus(amount ?? '0');
    if (off.abs().gt('0.02')) throw new Error(`${credit?.total} for the refund of ${amount}`);
  }
  const credited = standing.flatMap(({ kind, sent }) =>
    kind === 'nota-credito' && sent ? [sent.total] : [],
  );
  const remains = decimal(factura.total).minus(sum(credited));
  if (remains.minus(left).abs().gt('0.02')) throw new Error(`${remains} remains of ${left}`);
}
