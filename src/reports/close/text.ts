import Table from 'cli-table3';
import { decimal } from '../../domain/money.ts';
import { taxName, taxWords } from '../tax-rows.ts';
import type { CloseAnswer } from './close.ts';
import { creditWords } from './credits.ts';
import {
  addTallies,
  allShopsAnswered,
  type DayClose,
  type Explained,
  type Fates,
  type Issued,
  isDayOver,
  type Tally,
} from './day-close.ts';

export function closeText({ close, explained, kept }: CloseAnswer): string {
  const of =
    close.scope === '*'
      ? 'todas las tiendas'
      : `${close.scope.includes(',') ? 'las tiendas' : 'la tienda'} ${close.scope.replaceAll(',', ', ')}`;
  return [
    `Cierre del ${close.day} · ${of} · ${resultText(close)}\n`,
    fatesTable(close),
    ...close.issued
      .filter(({ states }) => Object.keys(states).length > 0)
      .map((one) => issuedTable(one, allShopsAnswered(close))),
    list('Observaciones', explained.map(explain)),
    list(
      'Qué no cuadra',
      close.differences.map(({ sentence }) => sentence),
    ),
    list(
      'Documentos del mismo RUC que no son de este sistema (no cuentan)',
      close.foreign.map(
        ({ number, codDoc, total }) => `${number}, tipo ${codDoc}${total === null ? '' : `, por ${total}`}.`,
      ),
    ),
    list(
      'Redondeos del servicio (vale lo autorizado)',
      (close.roundings ?? []).map(({ sentence }) => sentence),
    ),
    list('Créditos', (close.credits ?? []).map(creditWords)),
    list(
      'Lo que falta para conciliar',
      close.unanswered.map(({ sentence }) => sentence),
    ),
    kept ? `Guardado y firmado como cierre ${kept.n}: ${kept.hash}\n` : '',
  ]
    .filter((part) => part !== '')
    .join('\n');
}

const resultWords: Record<DayClose['result'], string> = {
  green: 'CUADRA',
  red: 'NO CUADRA',
  incomplete: 'SIN CONCILIAR',
  partial: 'SIN LA TIENDA: lo demás cuadra',
};

const soFarWords: Record<DayClose['result'], string> = {
  green: 'cuadra',
  red: 'no cuadra',
  incomplete: 'sin conciliar',
  partial: 'sin la tienda, y lo demás cuadra',
};

function resultText(close: DayClose): string {
  if (!isDayOver(close)) return `EL DÍA NO TERMINA: hasta ahora ${soFarWords[close.result]}`;
  return `${resultWords[close.result]}${close.provisional ? ' (provisional: hay documentos en trámite)' : ''}`;
}

const plain = { head: [], border: [], compact: true };

function fatesTable({ day, sales, refunds }: DayClose): string {
  const table = new Table({
    head: [`El ${day} en la tienda`, 'Pedidos pagados', 'USD', 'Reembolsos', 'USD'],
    colAligns: ['left', 'right', 'right', 'right', 'right'],
    style: plain,
  });
  const row = (name: string, of: (fates: Fates) => Tally) => {
    const [sale, refund] = [of(sales), of(refunds)];
    table.push([name, sale.count, sale.total, refund.count, refund.total]);
  };
  row('Total', ({ sold }) => sold);
  row('  con documento autorizado', ({ issued }) => issued);
  row('    de ellos, con fecha de otro día', ({ issuedOtherDay }) => issuedOtherDay);
  row('  descontados antes de facturar', ({ netted }) => netted);
  row('  en trámite', ({ underWay }) => underWay);
  row('  requieren atención', ({ waiting }) => addTallies(waiting));
  row('  no llevan documento', ({ unneeded }) => addTallies(unneeded));
  row('  sin documento', ({ missing }) => missing);
  return `${table.toString()}\n`;
}

const kindWords = { factura: 'Facturas', 'nota-credito': 'Notas de crédito' };

function issuedTable({ kind, ours, service, shop, ofOtherDays }: Issued, shopsAnswered: boolean): string {
  const table = new Table({
    head: [`${kindWords[kind]} con esta fecha`, 'Tienda', 'Registro', 'Servicio'],
    colAligns: ['left', 'right', 'right', 'right'],
    style: plain,
  });
  table.push(['Autorizadas', shopsAnswered ? shop.count : '—', ours.count, service.count]);
  table.push(['Total USD', shopsAnswered ? shop.total : '—', ours.total, service.total]);
  const codes = new Map([...ours.taxes, ...service.taxes].map((tax) => [taxName(tax), tax]));
  for (const [name, tax] of codes) {
    const [a, b] = [ours, service].map(({ taxes }) => taxes.find((one) => taxName(one) === name));
    table.push([`  base ${taxWords(tax)}`, '', a?.base ?? '0.00', b?.base ?? '0.00']);
    if (decimal(a?.valor ?? '0').isZero() && decimal(b?.valor ?? '0').isZero()) continue;
    table.push([`  valor ${taxWords(tax)}`, '', a?.valor ?? '0.00', b?.valor ?? '0.00']);
  }
  if (ofOtherDays.count > 0)
    table.push([
      'De ventas o reembolsos de otros días',
      '',
      `${ofOtherDays.count} por ${ofOtherDays.total}`,
      '',
    ]);
  return `${table.toString()}\n`;
}

function explain({ kind, order, fate, reason }: Explained): string {
  const what = kind === 'factura' ? `Pedido ${order}` : `Reembolso del pedido ${order}`;
  return `${what}, ${fateWords[fate]}: ${reason}`;
}

const fateWords: Record<Explained['fate'], string> = {
  waiting: 'requiere atención',
  unneeded: 'no lleva documento',
  underWay: 'en trámite',
  rounded: 'a un centavo por redondeo',
};

const list = (title: string, lines: readonly string[]): string =>
  lines.length === 0 ? '' : `${title}:\n${lines.map((line) => `  · ${line}\n`).join('')}`;
