import { FacturapuenteError } from '../../../src/domain/errors.ts';
import type { Order } from '../../../src/domain/order.ts';
import type { Platform } from '../../../src/domain/platform.ts';
import type { Action } from '../../../src/planner/action.ts';
import { plan, planAsIf } from '../../../src/planner/plan.ts';
import { store } from '../../support/orders.ts';

/*
 * A body with one field written in another way, and what may come of it: the same order, a document of the same money, no
 * document, or a refusal that names this very field. Never a crash, never another document.
 */

export type Path = readonly (string | number)[];
export interface Mutation {
  path: Path;
  /** null, missing, empty, [], {}, and a text as a number or the other way round. */
  how: string;
  /** The value means what it meant: whole reading has to be the same. */
  same: boolean;
  body: () => unknown;
}

/** Every field of a body, containers too, in every other way to write it. */
export function mutationsOf(body: unknown): Mutation[] {
  return pathsOf(body).flatMap((path) => {
    const value = at(body, path);
    return waysOf(value).map(({ how, same, written }) => ({
      path,
      how,
      same,
      body: () => (how === 'missing' ? without(body, path) : changed(body, path, written)),
    }));
  });
}

function pathsOf(value: unknown, path: Path = []): Path[] {
  if (typeof value !== 'object' || value === null) return [path];
  const own = Object.entries(value).flatMap(([key, one]) =>
    pathsOf(one, [...path, Array.isArray(value) ? Number(key) : key]),
  );
  return path.length === 0 ? own : [path, ...own];
}

function waysOf(value: unknown): { how: string; same: boolean; written: unknown }[] {
  const nothing = value === null;
  const ways: { how: string; same: boolean; written: unknown }[] = [
    { how: 'null', same: nothing, written: null },
    { how: 'missing', same: false, written: undefined },
    { how: 'empty', same: false, written: '' },
    { how: '[]', same: false, written: [] },
    { how: '{}', same: false, written: {} },
  ];
  if (typeof value === 'string')
    ways.push({ how: 'number', same: isNumeral(value), written: isNumeral(value) ? Number(value) : 7 });
  else {
    const same = typeof value === 'number' || typeof value === 'boolean';
    ways.push({ how: 'text', same, written: same ? String(value) : 'Carlos' });
  }
  return ways.filter(({ written }) => JSON.stringify(written) !== JSON.stringify(value));
}

/** Digits that are as many when a number writes them; of a telephone's leading zero none is left. */
const isNumeral = (value: unknown): boolean =>
  typeof value === 'string' &&
  /^-?(0|[1-9]\d*)(\.\d+)?$/.test(value) &&
  Number.isSafeInteger(Math.trunc(Number(value)));

const at = (body: unknown, path: Path): unknown =>
  path.reduce<unknown>((value, key) => Reflect.get(Object(value), key), body);

function changed(body: unknown, path: Path, written: unknown): unknown {
  const copy = structuredClone(body);
  Reflect.set(Object(at(copy, path.slice(0, -1))), path.at(-1) ?? '', written);
  return copy;
}

function without(body: unknown, path: Path): unknown {
  const copy = structuredClone(body);
  const from = Object(at(copy, path.slice(0, -1)));
  if (Array.isArray(from)) from.splice(Number(path.at(-1)), 1);
  else Reflect.deleteProperty(from, path.at(-1) ?? '');
  return copy;
}

export interface Read {
  order: Order;
  actions: Action[];
}
export type Reading = (body: unknown) => Read;

const seller = { store, invoiceFrom: new Date(0), now: new Date('2026-11-23T17:00:00Z') };

export const planned = (order: Order): Read => ({
  order,
  actions: plan({ ...seller, order, documents: [] }),
});

/** How an order is read and planned. */
export const ofOrder =
  (platform: Platform): Reading =>
  (body) =>
    planned(platform.readOrder(body, platform.demoConnection()));

/** How refunds are read beside their order, once its factura is authorised. */
export const ofRefunds =
  (platform: Platform, sold: unknown): Reading =>
  (body) => {
    const refunds = platform.readRefunds(body, sold);
    const order = { ...platform.readOrder(sold, platform.demoConnection()), refunds };
    return {
      order,
      actions: planAsIf({ ...seller, order }, { number: '001-001-000000123', date: '2026-11-20' }),
    };
  };

/** What is wrong with the outcome of a mutation; null where nothing is. */
export function wrongOf(read: Reading, base: Read, { path, how, same, body }: Mutation): string | null {
  const place = path.join('.');
  const said = (what: string) => `${place} ${how}: ${what}`;
  let found: Read;
  try {
    found = read(body());
  } catch (error) {
    if (!(error instanceof FacturapuenteError)) return said(`crashes: ${String(error)}`);
    if (same) return said(`is refused: ${error.merchant}`);
    const names = [error.merchant, error.message].every((text) => text.includes(place));
    return names ? null : said(`is refused without a word of it: ${error.merchant} / ${error.message}`);
  }
  if (same && JSON.stringify(numbers(found.order)) !== JSON.stringify(numbers(base.order)))
    return said('is read as something else');
  // A list that the shop says is empty is empty, and what is called otherwise is something else.
  if (how === '[]' || how === '{}' || ['key', 'name'].includes(String(path.at(-1)))) return null;
  if (typeof path.at(-1) === 'number' || (how === 'missing' && absentIsNone.test(place))) return null;
  const reported = (actions: readonly Action[]) => documentsOf(actions, !buyersOwn.test(place));
  const moved = reported(found.actions).filter((one) => !reported(base.actions).includes(one));
  return moved.length === 0 ? null : said(`becomes another document: ${moved[0]}`);
}

/** Lists of a refund in which there is nothing, where one is written down by hand. */
const absentIsNone = /^\d+\.(line_items|shipping_lines|fee_lines)$/;

/** Fields that may be the very ones a buyer left empty. */
const buyersOwn = /^(meta_data|note_attributes|order\.localizedFields)\b/;

/** Amounts by what they are worth. */
const numbers = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value), (_key, one: unknown) =>
    typeof one === 'string' && isNumeral(one) ? Number(one) : one,
  );

/** The money of each document to be emitted, and whom it names where that does not stand in the field itself. */
function documentsOf(actions: readonly Action[], named: boolean): string[] {
  return actions
    .filter(({ action }) => action === 'emit')
    .map(({ kind, document, body }) => {
      const items = body?.items.map(({ cantidad, precio_unitario, descuento, tipo_iva }) => [
        cantidad,
        precio_unitario,
        descuento,
        tipo_iva,
      ]);
      const who = named ? body?.comprador.identificacion : null;
      return JSON.stringify([kind, document, who, items, body?.totales]);
    });
}
