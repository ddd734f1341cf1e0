import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { StoredDocument } from '../sandbox/emulator/index.ts';
import { ecuadorDay } from '../src/domain/clock.ts';
import { decimal, sum, toAmount } from '../src/domain/money.ts';
import type { CloseAnswer } from '../src/reports/close/close.ts';
import type { Difference, DifferenceCode, Unanswered } from '../src/reports/close/day-close.ts';
import { gapName, isAuthorised, saleOf } from './evidence.ts';
import { nameOf, saysRounding } from './judge.ts';
import type { Played } from './play.ts';
import { type Mark, needPerson, type Sold } from './sold.ts';
import type { Stage } from './stage.ts';

const bin = fileURLToPath(new URL('../src/cli/bin.ts', import.meta.url));
const codes = { factura: '01', 'nota-credito': '04' } as const;

export interface Closes {
  days: number;
  /** Wrong or missing statements of a close. */
  differ: string[];
  /** The codes of its differences, by sale (`<store> <order>`). */
  named: Map<string, Set<DifferenceCode>>;
  /** Missing numbers, by {@link gapName}. */
  gaps: Set<string>;
  /** Stores that a close could not read; it reports them and stays incomplete. */
  unread: Set<string>;
}

/**
 * Closes every day of the run with `facturapuente close` and compares its figures with what the service stored:
 * documents, totals, and each tax. A day must be red exactly if a disaster left shop, ledger and service in
 * disagreement, and must name each such sale.
 */
export async function closeDays(stage: Stage, { sold }: Played): Promise<Closes> {
  const stored = stage.sandbox.documents().filter(isAuthorised);
  const byDay = Map.groupBy(stored, dayOf);
  // All sales before midnight may be issued after it.
  const midnight = stage.midnight.getTime();
  const today = ecuadorDay(stage.clock.now());
  const days = new Set(
    [
      ...[ecuadorDay(new Date(midnight - 1)), ecuadorDay(new Date(midnight)), ...byDay.keys()],
      ...sold.map(({ placedAt }) => ecuadorDay(placedAt)),
    ].filter((day) => day <= today),
  );
  const named: Closes['named'] = new Map();
  const differ: string[] = [];
  const gaps = new Set<string>();
  const unread = new Set<string>();
  const byName = Map.groupBy(sold, (one) => nameIn(one.storeId, one.name));
  const invoiced = new Set(
    stored.filter(({ tipo }) => tipo === '01').map((one) => saleOf(one, stored, sold)),
  );
  /**
   * A factura belongs to a sale that its shop no longer has, has with another total, or no longer has as paid. After the ledger was restored it may
   * have been issued for the edited order, and then nothing disagrees.
   */
  const disagrees = ({ number, marks }: Sold) =>
    invoiced.has(number) &&
    (marks.has('vanished') || ((marks.has('edited') || marks.has('unpaid')) && !marks.has('old-ledger')));
  const byNumber = Map.groupBy(stored, ({ numero }) => numero);
  /** A document unknown to the ledger is identified by its number alone. */
  const salesOf = ({ store, order, number }: Difference): Sold[] => {
    if (order !== null) return byName.get(nameIn(store, order)) ?? [];
    const sales = (byNumber.get(number ?? '') ?? []).map((one) => saleOf(one, stored, sold));
    return sold.filter((one) => sales.includes(one.number));
  };
  const marked = (difference: Difference) =>
    salesOf(difference).some(({ marks }) => [...marks].some((mark) => differing.has(mark)));
  /** Ids of orders that cannot be read, or not as their signed webhooks say: of a restored shop too. */
  const unreadable = new Set(
    sold.flatMap(({ id, marks }) => (unreadMarks.some((mark) => marks.has(mark)) ? [id] : [])),
  );
  const isUnreadable = (store: string) =>
    sold.some(({ storeId, marks }) => storeId === store && marks.has('unreadable'));
  for (const day of days) {
    const documents = byDay.get(day) ?? [];
    const { close } = await closeDay(stage.config, day);
    const say = (what: string) => differ.push(`${day}: ${what}`);
    const isExpected = ({ source, name }: Unanswered) =>
      source === 'order' ? unreadable.has(name) : source === 'shop' && isUnreadable(name);
    const unasked = close.unanswered.filter((one) => !isExpected(one));
    const unmarked = close.differences.filter((one) => !marked(one));
    for (const { source, name } of close.unanswered) if (source === 'shop') unread.add(name);
    for (const { store, order, code, sentence } of close.differences) {
      if (code === 'number-gap') for (const gap of gapsIn(sentence)) gaps.add(gap);
      const name = nameIn(store, order);
      named.set(name, (named.get(name) ?? new Set()).add(code));
    }
    for (const { sentence } of [...unmarked, ...unasked]) say(sentence);
    const agrees = close.differences.length === 0 && close.unanswered.length === 0;
    if (agrees !== (close.result === 'green'))
      say(`the close is ${close.result} with ${close.differences.length} differences`);
    if (!agrees) continue;
    for (const { kind, ours, service, shop } of close.issued) {
      const there = documents.filter(({ tipo }) => tipo === codes[kind]);
      const total = toAmount(sum(there.map(({ figures }) => figures?.importeTotal ?? '0')));
      // The shop states the money that went back; some documents are off by the cent that no base gives.
      const cents = decimal('0.02').times(there.filter(saysRounding).length);
      for (const [who, seen] of Object.entries({ ours, service, shop }))
        if (
          seen.count !== there.length ||
          decimal(seen.total)
            .minus(total)
            .abs()
            .gt(seen === shop ? cents : 0)
        )
          say(
            `${kind}: ${who} ${seen.count} over ${seen.total}, the service stored ${there.length} over ${total}`,
          );
      const taxes = taxesOf(there);
      for (const seen of [ours, service]) {
        const reported = JSON.stringify(
          seen.taxes.map(({ codigo, codigoPorcentaje, base, valor }) => [
            `${codigo}/${codigoPorcentaje}`,
            base,
            valor,
          ]),
        );
        if (reported !== JSON.stringify(taxes))
          say(`${kind}: taxes ${reported}, the service stored ${JSON.stringify(taxes)}`);
      }
    }
  }
  // A shop that cannot be read makes the close incomplete, and the close reports it.
  for (const one of sold)
    if (disagrees(one) && !isUnreadable(one.storeId) && !named.has(nameIn(one.storeId, one.name)))
      differ.push(`no close tells of ${nameOf(one)}`);
  return { days: days.size, differ, named, gaps, unread };
}

/** The missing numbers of the sentence of a `number-gap`, one or a range. */
function gapsIn(sentence: string): string[] {
  const [, what, ruc = '', series = '', from, to = from] =
    /(facturas|notas de crédito) del RUC (\d{13}) falta (?:el número|los números) (\d{3}-\d{3})-(\d{9})(?: a \d{3}-\d{3}-(\d{9}))?/.exec(
      sentence,
    ) ?? [];
  if (what === undefined) throw new Error(`A gap that cannot be read: ${sentence}`);
  const first = Number(from);
  const type = what === 'facturas' ? codes.factura : codes['nota-credito'];
  return Array.from({ length: Number(to) - first + 1 }, (_, at) =>
    gapName({ ruc, type, series, number: first + at }),
  );
}

/** Sales on which shop, ledger and service may disagree permanently. */
const unreadMarks: readonly Mark[] = ['unreadable', 'hidden', 'vanished', 'restored'];
const differing: ReadonlySet<Mark> = new Set([...needPerson, 'vanished', 'restored']);

export const nameIn = (store: string | null, order: string | null): string =>
  `${store ?? ''} ${(order ?? '').replace(/^#/, '')}`;

/** In the order of the close: by code. */
function taxesOf(documents: readonly StoredDocument[]): [string, string, string][] {
  const groups = documents.flatMap(({ figures }) => figures?.groups ?? []);
  const name = ({ codigo, codigoPorcentaje }: (typeof groups)[number]) => `${codigo}/${codigoPorcentaje}`;
  return [...Map.groupBy(groups, name)]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([code, rows]) => [
      code,
      toAmount(sum(rows.map(({ base }) => base))),
      toAmount(sum(rows.map(({ valor }) => valor))),
    ]);
}

/** An access key begins with the issue date (ficha técnica SRI, tabla 1). */
const dayOf = ({ claveacceso }: StoredDocument): string =>
  `${claveacceso.slice(4, 8)}-${claveacceso.slice(2, 4)}-${claveacceso.slice(0, 2)}`;

function closeDay(config: string, day: string): Promise<CloseAnswer> {
  return new Promise((resolve, reject) => {
    const args = [bin, 'close', '--config', config, '--date', day, '--save', '--json'];
    execFile(process.execPath, args, { maxBuffer: 64 * 1024 * 1024 }, (error, stdout, stderr) => {
      if (stdout === '')
        return reject(new Error(`close of ${day} said nothing: ${stderr}`, { cause: error }));
      resolve(JSON.parse(stdout));
    });
  });
}
