import type { StoredDocument } from '../sandbox/emulator/index.ts';
import { decimal, sum, toAmount } from '../src/domain/money.ts';
import type { Evidence } from './evidence.ts';
import type { TroubledShop } from './shop.ts';
import { needPerson, type Sold } from './sold.ts';

export type Fault = 'duplicate' | 'lost' | 'wrong-total' | 'unexplained' | 'not-written';

export interface Finding {
  fault: Fault;
  /** `woocommerce 127.0.0.1:4567 order 12` and what is wrong. */
  what: string;
  /** The sale it is about. */
  evidence?: Evidence;
}

export interface Judgement {
  findings: Finding[];
  /** Refunds a factura was issued without: they came before it. */
  netted: number;
  /** Waiting for a person by plan: a buyer without identification, a refund to consumidor final. */
  byPlan: number;
  /** Left by a disaster to a person: correct if it is reported (reported.ts). */
  forPerson: string[];
}

const totalOf = (document: StoredDocument): string => document.figures?.importeTotal ?? 'no total';

/**
 * Compares one sale with its documents: exactly one factura for the sale less earlier refunds, one nota de crédito for
 * exactly the money of every other refund, and both written onto the order.
 */
export function judge(evidence: Evidence, shop: TroubledShop): Judgement {
  const { sold, facturas, creditNotes, ledger } = evidence;
  const judgement: Judgement = { findings: [], netted: 0, byPlan: 0, forPerson: [] };
  const mayAsk = [...sold.marks].some((mark) => needPerson.has(mark));
  const find = (fault: Fault, what: string) => {
    // After a disaster a missing document may wait for a person; a doubled or wrong one is a fault in any case.
    if (mayAsk && (fault === 'lost' || fault === 'unexplained')) judgement.forPerson.push(what);
    else judgement.findings.push({ fault, what: `${nameOf(sold)}: ${what}`, evidence });
  };
  for (const [refund, notes] of [['', facturas] as const, ...creditNotes]) {
    if (notes.length > 1)
      find(
        'duplicate',
        `${notes.map(({ numero }) => numero).join(' and ')} for ${refund ? `refund ${refund}` : 'the sale'}`,
      );
  }
  const [factura] = facturas;
  if (factura === undefined) {
    // Nothing shows a sale that its shop lost, and one that is no longer paid needs no factura.
    if (!sold.marks.has('vanished') && !sold.marks.has('unpaid')) judgeWithout(evidence, judgement, find);
    return judgement;
  }
  if (sold.marks.has('unpaid'))
    judgement.forPerson.push(`factura ${factura.numero} is authorised and the order is no longer paid`);
  judgeRefunds(evidence, factura, judgement, find);
  // The order's data is as old as the backup, or another sale's.
  if (sold.marks.has('vanished') || sold.marks.has('restored')) return judgement;
  const written = shop.written(sold.id);
  const right = written.accessKey === factura.claveacceso;
  const decided = ledger.filter(({ kind, state }) => kind === 'factura' && state === 'manual');
  const names = right || decided.some(({ reason }) => reason?.includes(factura.claveacceso));
  // A person compares what a restored ledger does not know (buyer, refunds).
  if (names && decided.length > 0 && sold.marks.has('old-ledger'))
    judgement.forPerson.push(`factura ${factura.numero} is authorised and waits for a person`);
  else if (!right || written.state !== 'AUTORIZADO')
    find(
      'not-written',
      `factura ${factura.numero} is authorised and the order says ${written.state ?? 'nothing'}`,
    );
  const keys = [...creditNotes.values()].flat().map(({ claveacceso }) => claveacceso);
  const open = ledger.some(({ kind, state }) => kind === 'nota-credito' && state === 'manual');
  if (open && sold.marks.has('old-ledger'))
    judgement.forPerson.push(
      `a nota de crédito of factura ${factura.numero} is authorised and waits for a person`,
    );
  else if (
    keys.length !== written.creditNotes.length ||
    keys.some((key) => !written.creditNotes.includes(key))
  )
    find(
      'not-written',
      `${keys.length} notas de crédito are authorised and the order lists ${written.creditNotes.length}`,
    );
  return judgement;
}

export const nameOf = ({ platform, storeId, id, number, marks }: Sold): string =>
  `${platform} ${storeId} order ${id} (sale ${[number, ...marks].join(', ')})`;

type Find = (fault: Fault, what: string) => void;

function judgeWithout({ sold, ledger }: Evidence, judgement: Judgement, find: Find): void {
  const current = ledger.find(({ kind, state }) => kind === 'factura' && state !== 'cancelled');
  const back = sum(sold.refunds.filter(({ vanished }) => !vanished).map(({ amount }) => amount));
  if (current === undefined && back.equals(sold.total)) {
    judgement.netted += sold.refunds.length;
  } else if (current?.state === 'held' && sold.sale.buyer.kind === 'unnamed') {
    judgement.byPlan += 1;
  } else if (current?.state === 'manual' || current?.state === 'held' || current?.state === 'rejected') {
    find('unexplained', `${current.state} (${current.code}): ${current.reason}`);
  } else {
    find('lost', current ? `the factura is ${current.state}` : 'nobody knows of it');
  }
}

function judgeRefunds(
  { sold, creditNotes, ledger }: Evidence,
  factura: StoredDocument,
  judgement: Judgement,
  find: Find,
): void {
  const open: Evidence['sold']['refunds'] = [];
  for (const refund of sold.refunds) {
    const [note] = creditNotes.get(refund.id) ?? [];
    const manual = ledger.find(
      ({ kind, sourceId, state }) => kind === 'nota-credito' && sourceId === refund.id && state === 'manual',
    );
    if (note) {
      if (totalOf(note) !== refund.amount && !(saysRounding(note) && isNear(totalOf(note), refund.amount)))
        find(
          'wrong-total',
          `nota de crédito ${note.numero} of ${totalOf(note)} for a refund of ${refund.amount}`,
        );
    } else if (manual && factura.tipo === '01' && factura.body.comprador.tipo_identificacion === '07') {
      // Sold to consumidor final: the law has no nota de crédito for it.
      judgement.byPlan += 1;
    } else if (manual) {
      find('unexplained', `refund ${refund.id} is manual (${manual.code}): ${manual.reason}`);
    } else {
      open.push(refund);
    }
  }
  const before = subsets(open).find((some) => totalOf(factura) === less(sold.total, some));
  if (before === undefined) {
    // The restored ledger lost the charge, and no reading states it any more: invoiced as it is.
    const isUnread = sold.marks.has('edited') && sold.marks.has('old-ledger');
    const ask: Find = isUnread ? (_fault, what) => void judgement.forPerson.push(what) : find;
    ask(
      'wrong-total',
      `factura ${factura.numero} of ${totalOf(factura)}, sold for ${sold.total}, refunds ${sold.refunds.map(({ amount }) => amount).join(' ')}`,
    );
    return;
  }
  judgement.netted += before.length;
  for (const refund of open.filter((one) => !before.includes(one) && !one.vanished))
    find('lost', `refund ${refund.id} of ${refund.amount} has no nota de crédito`);
}

/** A document that is off by the cent no base gives states the reason (docs/refunds.md). */
export const saysRounding = ({ body }: StoredDocument): boolean =>
  body.informacion_adicional?.some(({ nombre }) => nombre === 'Redondeo') ?? false;
const isNear = (total: string, money: string): boolean => decimal(total).minus(money).abs().lte('0.02');

const less = (total: string, refunds: readonly { amount: string }[]): string =>
  toAmount(decimal(total).minus(sum(refunds.map(({ amount }) => amount))));

/** Every subset, the largest first. */
function subsets<T>(of: readonly T[]): T[][] {
  const all: T[][] = [[]];
  for (const one of of) all.push(...all.map((chosen) => [...chosen, one]));
  return all.sort((a, b) => b.length - a.length);
}
