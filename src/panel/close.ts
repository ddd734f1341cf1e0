import { z } from 'zod';
import { type Day, dayMs, ecuadorDay } from '../domain/clock.ts';
import { decimal } from '../domain/money.ts';
import { mayDo, owner } from '../domain/settings.ts';
import { type Html, html, type Piece } from '../domain/text.ts';
import type { KeptClose } from '../ledger/schema.ts';
import { close as closeDay } from '../operations/reports.ts';
import { type ClosedFacts, verdictOf } from '../operations/run/close.ts';
import { creditWords } from '../reports/close/credits.ts';
import {
  addTallies,
  allShopsAnswered,
  type DayClose,
  type Explained,
  type Fates,
  isDayOver,
  type Tally,
} from '../reports/close/day-close.ts';
import { isSigned, readKept } from '../reports/close/keep-close.ts';
import { taxName, taxWords } from '../reports/tax-rows.ts';
import {
  actionForm,
  acts,
  chip,
  empty,
  field,
  key,
  link,
  moment,
  pairs,
  type Row,
  section,
  soft,
  table,
  warning,
} from './components.ts';
import { type PanelAction, type PanelAnswer, type PanelPage, unlessLong, type Visit } from './visit.ts';

const given = z.object({ dia: z.iso.date() });

export const closePage: PanelPage = {
  path: '/cierre',
  role: 'read',
  nav: { order: 5, label: 'Cierre' },
  async show(visit) {
    const day = dayOf(visit);
    const { closes } = visit.deps.ledger;
    const [close, recent] = await Promise.all([closes.ofDay(day), closes.recent(14)]);
    const shown = close
      ? html`${reportedClose(visit, readKept(close))}${reportedSignature(visit, close)}`
      : empty('Este día todavía no se ha cerrado.');
    const before =
      recent.length === 0
        ? soft('Todavía no hay cierres guardados.')
        : html`<ul class="said">${recent.map((one) => recentClose(visit, one))}</ul>`;
    return {
      title: words.title,
      body: html`${chooser(visit, day)}${shown}${acts(buttons(visit, day, close !== undefined))}${soft(words.how)}
${monthForm(visit, day.slice(0, 7))}
${section('anteriores', 'Cierres anteriores', before)}`,
    };
  },
};

function recentClose(visit: Visit, close: KeptClose): Html {
  const { day, scope, result, closedAt } = close;
  const tone = result === 'green' ? null : result === 'red' ? 'bad' : 'warn';
  return html`<li>${link(visit, `/cierre?dia=${day}`, day)} ${scope !== visit.deps.closeLabel && scope} ${chip(words.results[readKept(close).result], tone)} <span class="soft">${moment(closedAt, visit)}</span></li>`;
}

function dayOf({ query, now }: Visit): Day {
  const asked = given.safeParse({ dia: query.get('dia') });
  return asked.data?.dia ?? ecuadorDay(new Date(now.getTime() - dayMs));
}

function chooser({ at, now }: Visit, day: Day): Html {
  return html`<form class="find" method="get" action="${at('/cierre')}"><label for="dia">Día</label>
<div class="one"><input type="date" id="dia" name="dia" value="${day}" max="${ecuadorDay(now)}" required><button type="submit" class="plain">Ver</button></div></form>`;
}

function buttons(visit: Visit, day: Day, closed: boolean): Html {
  if (!mayDo(visit.role, keepAction.role))
    return soft('Cerrar y firmar es para quienes operan o configuran.');
  const fields = { dia: day };
  return html`${actionForm(visit, keepAction, { fields, label: closed ? 'Cerrar y firmar otra vez' : 'Cerrar y firmar', plain: closed })}${actionForm(visit, checkAction, { fields, label: 'Revisar ahora sin guardar', plain: true })}`;
}

async function run(visit: Visit, date: Day, save: boolean): Promise<ClosedFacts | null> {
  const answer = await unlessLong(visit, 'close', visit.deps.carryOut(closeDay, { date, save }));
  return answer?.data ?? null;
}

const keepAction: PanelAction = {
  path: '/cierre/guardar',
  role: 'operate',
  async run(visit, form): Promise<PanelAnswer> {
    const { dia } = given.parse(form);
    const answer = await run(visit, dia, true);
    return {
      to: `/cierre?dia=${dia}`,
      message: answer ? verdictOf(answer) : words.running,
      done: answer !== null,
    };
  },
};

const checkAction: PanelAction = {
  path: '/cierre/revisar',
  role: 'operate',
  async run(visit, form): Promise<PanelAnswer> {
    const { dia } = given.parse(form);
    const answer = await run(visit, dia, false);
    if (!answer) return { to: `/cierre?dia=${dia}`, message: words.running, done: false };
    const { close, explained } = answer;
    return {
      title: words.title,
      body: html`${chooser(visit, dia)}${soft('Revisado ahora; no está guardado.')}${reportedClose(visit, close, explained)}${acts(buttons(visit, dia, false))}`,
    };
  },
};

export const closeActions: readonly PanelAction[] = [keepAction, checkAction];

const signs: Record<DayClose['result'], string> = { green: '✓', red: '✕', incomplete: '?', partial: '?' };

function reportedClose(visit: Visit, close: DayClose, explained: readonly Explained[] = []): Html {
  const { result, provisional, differences, unanswered, foreign } = close;
  const verdict = isDayOver(close)
    ? html`${words.results[result]}${provisional && ' Es provisional: hay comprobantes en trámite.'}`
    : words.soFar[result];
  return html`<div class="verdict ${result}" role="status"><span class="sign" aria-hidden="true">${signs[result]}</span><p>${verdict}</p></div>
${list(
  'Qué no cuadra',
  differences.map((one) => difference(visit, one)),
)}
${list(
  'Lo que falta para conciliar',
  unanswered.map(({ sentence }) => html`<li>${sentence}</li>`),
)}
${list(
  'Redondeos del servicio (vale lo autorizado)',
  (close.roundings ?? []).map((one) => difference(visit, one)),
)}
${list(
  'Créditos',
  (close.credits ?? []).map((one) => html`<li>${creditWords(one)}</li>`),
)}
${section('suerte', words.fates, fatesTable(close))}
${section('tres', words.three, html`${soft('Los comprobantes autorizados con esta fecha, según cada uno.')}${threeWays(close)}`)}
${list(
  'Observaciones',
  explained.map(({ order, reason }) => html`<li>${find(visit, order, `Pedido ${order}`)}: ${reason}</li>`),
)}
${list(
  words.foreign,
  foreign.map(
    ({ number, accessKey, total }) =>
      html`<li>${number}${total !== null && html`, USD ${total}`}<div class="key soft">${accessKey}</div></li>`,
  ),
)}`;
}

const list = (title: string, items: readonly Html[]): Piece =>
  items.length > 0 && html`<section><h2>${title}</h2><ul class="said">${items}</ul></section>`;

const find = (visit: Visit, text: string, label: Piece): Html =>
  link(visit, `/buscar?q=${encodeURIComponent(text)}`, label);

function difference(visit: Visit, { sentence, order, number }: DayClose['differences'][number]): Html {
  return html`<li>${sentence} ${order !== null && find(visit, order, 'Ver el pedido')} ${number !== null && find(visit, number, 'Ver el comprobante')}</li>`;
}

function reportedSignature(visit: Visit, close: KeptClose): Html {
  const { n, closedAt, hash, publicKey, content, signature } = close;
  const whole = isSigned(content, signature, publicKey) && readKept(close).result === close.result;
  const body = html`${whole ? html`<p>${words.signed}</p>` : warning('La firma no corresponde al contenido: alguien lo alteró.')}
${pairs([
  ['Cierre número', n],
  ['Cerrado', moment(closedAt, visit)],
  ['Huella', key(hash)],
  ['Clave pública', key(publicKey)],
])}`;
  return section('firma', 'Firma', body);
}

const rows: readonly [name: keyof (typeof words)['rows'], of: (fates: Fates) => Tally][] = [
  ['issued', ({ issued }) => issued],
  ['issuedOtherDay', ({ issuedOtherDay }) => issuedOtherDay],
  ['netted', ({ netted }) => netted],
  ['underWay', ({ underWay }) => underWay],
  ['waiting', ({ waiting }) => addTallies(waiting)],
  ['unneeded', ({ unneeded }) => addTallies(unneeded)],
  ['missing', ({ missing }) => missing],
];

function fatesTable({ sales, refunds }: DayClose): Html {
  const shown = rows.filter(([, of]) => of(sales).count > 0 || of(refunds).count > 0);
  const row = (head: string, tallies: readonly Tally[], look: Pick<Row, 'look' | 'headLook'>): Row => ({
    head,
    cells: tallies.flatMap(({ count, total }) => [count, total]),
    ...look,
  });
  return table({
    label: words.fates,
    columns: [
      { label: 'En la tienda' },
      ...['Pedidos pagados', 'USD', 'Reembolsos', 'USD'].map((label) => ({ label, isNumber: true })),
    ],
    rows: [
      ...shown.map(([name, of]) =>
        row(words.rows[name], [of(sales), of(refunds)], {
          look: name === 'missing' && 'wrong',
          headLook: name === 'issuedOtherDay' && 'inner',
        }),
      ),
      row(words.rows.sold, [sales.sold, refunds.sold], { look: 'sum' }),
    ],
  });
}

function threeWays({ issued, unanswered }: DayClose): Html {
  const answered = allShopsAnswered({ unanswered });
  const shown = issued.filter(
    (one) => Object.keys(one.states).length + one.service.count + one.shop.count > 0,
  );
  return table({
    label: words.three,
    columns: [
      { label: '' },
      ...['Tienda', 'Registro', 'Servicio'].map((label) => ({ label, isNumber: true })),
      { label: '' },
    ],
    rows: shown.flatMap((one) => comparedRows(one, answered)),
  });
}

function comparedRows({ kind, shop, ours, service }: DayClose['issued'][number], answered: boolean): Row[] {
  const name = words.kinds[kind];
  const taxes = new Map([...ours.taxes, ...service.taxes].map((tax) => [taxName(tax), tax]));
  return [
    compared(`${name}, autorizadas`, [answered ? shop.count : null, ours.count, service.count]),
    compared(`${name}, total USD`, [answered ? shop.total : null, ours.total, service.total]),
    ...[...taxes].flatMap(([known, tax]) => {
      const of = (side: typeof ours) => side.taxes.find((one) => taxName(one) === known);
      const [mine, its] = [of(ours), of(service)];
      return [
        compared(`base ${taxWords(tax)}`, [null, mine?.base ?? '0.00', its?.base ?? '0.00']),
        compared(`valor ${taxWords(tax)}`, [null, mine?.valor ?? '0.00', its?.valor ?? '0.00']),
      ];
    }),
  ];
}

/** null for a side that does not know. */
function compared(head: string, values: readonly (string | number | null)[]): Row {
  const known = values.filter((value) => value !== null).map((value) => decimal(value));
  const same = known.every((value) => value.equals(known[0] ?? 0));
  return { head, cells: [...values, same ? '=' : html`<strong>≠</strong>`], look: !same && 'wrong' };
}

const asked = z.object({ mes: z.string().max(7), tienda: z.string().max(63).default('') });

/** It names buyers: only for people who operate. */
export const monthPage: PanelPage = {
  path: '/cierre/mes',
  ownPagesOnly: true,
  role: 'operate',
  async show({ deps, query, by }) {
    const { mes, tienda } = asked.parse(Object.fromEntries(query));
    const write = deps.download({ month: mes, ...(tienda !== '' && { store: tienda }) });
    const written = (outcome: 'done' | 'failed', facts: object) =>
      deps.audit({
        who: by,
        what: 'export',
        subject: mes,
        ...(tienda !== '' && { about: owner.store(tienda) }),
        outcome,
        facts: { store: tienda === '' ? null : tienda, ...facts },
        now: deps.clock.now(),
      });
    return {
      type: 'application/zip',
      name: `comprobantes-${mes}${tienda && `-${tienda}`}.zip`,
      async write(sink) {
        try {
          await written('done', await write(sink));
        } catch (error) {
          deps.log.warn({ err: error, month: mes }, 'The download of a month failed');
          await written('failed', {});
          throw error;
        }
      },
    };
  },
};

function monthForm({ at, now, role, deps }: Visit, month: string): Html {
  const stores = [...deps.settings.stores.keys()].map((id) => [id, id] as const);
  const more = { max: ecuadorDay(now).slice(0, 7), pattern: '[0-9]{4}-[0-9]{2}', required: true };
  const fields = html`${field({ name: 'mes', type: 'month', label: 'Mes', value: month, more })}
${stores.length > 1 && field({ name: 'tienda', label: 'Tienda', options: [['', 'Todas'], ...stores] })}
${acts(html`<button type="submit" class="plain">Descargar</button>`)}`;
  const form = mayDo(role, monthPage.role)
    ? html`<form method="get" action="${at(monthPage.path)}"><div class="filters wide">${fields}</div></form>`
    : soft(words.monthNotAllowed);
  return section(
    'del-mes',
    'El mes para el contador',
    html`${soft(words.month(month))}
${form}`,
  );
}

const words = {
  title: 'Cierre del día',
  how: 'El cierre compara lo que la tienda cobró y devolvió, nuestros comprobantes y lo que tiene el servicio, uno por uno y al centavo. Consulta al servicio por cada comprobante: un día con muchos tarda unos minutos.',
  month: (month: string) =>
    `Un solo archivo ZIP con el XML y el PDF de cada comprobante autorizado del mes y las tablas para Excel. Con muchos comprobantes tarda unos minutos: espere a que la descarga termine. En la terminal: «facturapuente export --month ${month}».`,
  monthNotAllowed: 'Contiene datos de los compradores: lo descargan quienes operan o configuran.',
  running: 'El cierre sigue en curso; vuelva a esta página en unos minutos.',
  results: {
    green: 'El día cuadra.',
    red: 'El día no cuadra.',
    incomplete: 'No se pudo conciliar: todavía falta algo.',
    partial: 'El registro y el servicio cuadran; una tienda no se puede consultar.',
  },
  soFar: {
    green: 'El día no ha terminado; hasta ahora cuadra.',
    red: 'El día no ha terminado, y no cuadra.',
    incomplete: 'El día no ha terminado, y no se pudo conciliar.',
    partial: 'El día no ha terminado; una tienda no se puede consultar, y lo demás cuadra hasta ahora.',
  },
  fates: 'Situación de lo cobrado y lo devuelto',
  rows: {
    sold: 'Total',
    issued: 'Con comprobante autorizado',
    issuedOtherDay: 'de ellos, con fecha de otro día',
    netted: 'Descontados antes de facturar',
    underWay: 'En trámite',
    waiting: 'Requieren atención',
    unneeded: 'No llevan comprobante',
    missing: 'Sin comprobante',
  },
  three: 'Las tres cuentas',
  kinds: { factura: 'Facturas', 'nota-credito': 'Notas de crédito' },
  foreign: 'Comprobantes del mismo RUC que no son de este sistema (no cuentan)',
  signed:
    'Firmado con la clave de abajo: no ha cambiado desde entonces. «facturapuente verify-closes» comprueba que la clave es de esta instalación y que no falta ningún cierre.',
};
