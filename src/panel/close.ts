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
  type Tally,
} from '../reports/close/day-close.ts';
import { isSigned, readKept } from '../reports/close/keep-close.ts';
import { taxName, taxWords } from '../reports/tax-rows.ts';
import { closeWords } from './close-words.ts';
import { actionForm, moment, unlessLong } from './show.ts';
import type { PanelAction, PanelAnswer, PanelPage, Visit } from './visit.ts';

const given = z.object({ dia: z.iso.date() });

export const closePage: PanelPage = {
  path: '/cierre',
  role: 'read',
  nav: { order: 5, label: closeWords.nav },
  async show(visit) {
    const day = dayOf(visit);
    const { closes } = visit.deps.ledger;
    const [close, recent] = await Promise.all([closes.ofDay(day), closes.recent(14)]);
    const shown = close
      ? html`${reportedClose(visit, readKept(close))}${reportedSignature(visit, close)}`
      : html`<div class="empty"><p>${closeWords.notYet}</p></div>`;
    return {
      title: closeWords.title,
      body: html`${chooser(visit, day)}${shown}<div class="acts">${buttons(visit, day, close !== undefined)}</div><p class="soft">${closeWords.how}</p>
${monthForm(visit, day.slice(0, 7))}
<section aria-labelledby="anteriores"><h2 id="anteriores">${closeWords.recent}</h2>${
        recent.length === 0
          ? html`<p class="soft">${closeWords.noneRecent}</p>`
          : html`<ul class="said">${recent.map(
              (one) =>
                html`<li><a href="${visit.at(`/cierre?dia=${one.day}`)}">${one.day}</a> ${one.scope !== visit.deps.closeLabel && one.scope} <span class="chip${one.result === 'green' ? '' : one.result === 'red' ? ' bad' : ' warn'}">${closeWords.results[readKept(one).result]}</span> <span class="soft">${moment(one.closedAt, visit)}</span></li>`,
            )}</ul>`
      }</section>`,
    };
  },
};

function dayOf({ query, now }: Visit): Day {
  const asked = given.safeParse({ dia: query.get('dia') });
  return asked.data?.dia ?? ecuadorDay(new Date(now.getTime() - dayMs));
}

function chooser({ at, now }: Visit, day: Day): Html {
  return html`<form class="find" method="get" action="${at('/cierre')}"><label for="dia">${closeWords.day}</label>
<div class="one"><input type="date" id="dia" name="dia" value="${day}" max="${ecuadorDay(now)}" required><button type="submit" class="plain">${closeWords.see}</button></div></form>`;
}

function buttons(visit: Visit, day: Day, closed: boolean): Html {
  if (!mayDo(visit.role, keepAction.role)) return html`<p class="soft">${closeWords.notAllowed}</p>`;
  const fields = { dia: day };
  return html`${actionForm(visit, keepAction, { fields, label: closed ? closeWords.again : closeWords.save, plain: closed })}${actionForm(visit, checkAction, { fields, label: closeWords.check, plain: true })}`;
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
      message: answer ? verdictOf(answer) : closeWords.running,
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
    if (!answer) return { to: `/cierre?dia=${dia}`, message: closeWords.running, done: false };
    const { close, explained } = answer;
    return {
      title: closeWords.title,
      body: html`${chooser(visit, dia)}<p class="soft">${closeWords.unsaved}</p>${reportedClose(visit, close, explained)}<div class="acts">${buttons(visit, dia, false)}</div>`,
    };
  },
};

export const closeActions: readonly PanelAction[] = [keepAction, checkAction];

const signs: Record<DayClose['result'], string> = { green: '✓', red: '✕', incomplete: '?', partial: '?' };

function reportedClose(visit: Visit, close: DayClose, explained: readonly Explained[] = []): Html {
  const { result, provisional, differences, unanswered, foreign } = close;
  return html`<div class="verdict ${result}" role="status"><span class="sign" aria-hidden="true">${signs[result]}</span><p>${closeWords.results[result]}${provisional && ` ${closeWords.provisional}`}</p></div>
${list(
  closeWords.differences,
  differences.map((one) => difference(visit, one)),
)}
${list(
  closeWords.unanswered,
  unanswered.map(({ sentence }) => html`<li>${sentence}</li>`),
)}
${list(
  closeWords.roundings,
  (close.roundings ?? []).map((one) => difference(visit, one)),
)}
${list(
  closeWords.credits,
  (close.credits ?? []).map((one) => html`<li>${creditWords(one)}</li>`),
)}
<section aria-labelledby="suerte"><h2 id="suerte">${closeWords.fates}</h2>${fatesTable(close)}</section>
<section aria-labelledby="tres"><h2 id="tres">${closeWords.three}</h2><p class="soft">${closeWords.threeSays}</p>${threeWays(close)}</section>
${list(
  closeWords.explained,
  explained.map(
    ({ order, reason }) => html`<li>${find(visit, order, closeWords.ofOrder(order))}: ${reason}</li>`,
  ),
)}
${list(
  closeWords.foreign,
  foreign.map(
    ({ number, accessKey, total }) =>
      html`<li>${number}${total !== null && html`, USD ${total}`}<div class="key soft">${accessKey}</div></li>`,
  ),
)}`;
}

const list = (title: string, items: readonly Html[]): Piece =>
  items.length > 0 && html`<section><h2>${title}</h2><ul class="said">${items}</ul></section>`;

const find = ({ at }: Visit, text: string, label: Piece): Html =>
  html`<a href="${at(`/buscar?q=${encodeURIComponent(text)}`)}">${label}</a>`;

function difference(visit: Visit, { sentence, order, number }: DayClose['differences'][number]): Html {
  return html`<li>${sentence} ${order !== null && find(visit, order, closeWords.seeOrder)} ${number !== null && find(visit, number, closeWords.seeDocument)}</li>`;
}

function reportedSignature(visit: Visit, close: KeptClose): Html {
  const { n, closedAt, hash, publicKey, content, signature } = close;
  const whole = isSigned(content, signature, publicKey) && readKept(close).result === close.result;
  return html`<section aria-labelledby="firma"><h2 id="firma">${closeWords.signature}</h2>
<p${!whole && html` class="notice bad"`}>${whole ? closeWords.signed : closeWords.altered}</p>
<dl class="pairs"><div><dt>${closeWords.number}</dt><dd>${n}</dd></div><div><dt>${closeWords.at}</dt><dd>${moment(closedAt, visit)}</dd></div><div><dt>${closeWords.hash}</dt><dd><span class="key">${hash}</span></dd></div><div><dt>${closeWords.key}</dt><dd><span class="key">${publicKey}</span></dd></div></dl></section>`;
}

const rows: readonly [name: keyof (typeof closeWords)['rows'], of: (fates: Fates) => Tally][] = [
  ['issued', ({ issued }) => issued],
  ['issuedOtherDay', ({ issuedOtherDay }) => issuedOtherDay],
  ['netted', ({ netted }) => netted],
  ['underWay', ({ underWay }) => underWay],
  ['waiting', ({ waiting }) => addTallies(waiting)],
  ['unneeded', ({ unneeded }) => addTallies(unneeded)],
  ['missing', ({ missing }) => missing],
];

const cells = (tallies: readonly Tally[]): Html[] =>
  tallies.map(({ count, total }) => html`<td class="number">${count}</td><td class="number">${total}</td>`);

function fatesTable({ sales, refunds }: DayClose): Html {
  const { what, usd } = closeWords.columns;
  const shown = rows.filter(([, of]) => of(sales).count > 0 || of(refunds).count > 0);
  return html`<div class="table" role="region" tabindex="0" aria-label="${closeWords.fates}"><table>
<thead><tr><th scope="col">${what}</th><th scope="col" class="number">${closeWords.columns.sales}</th><th scope="col" class="number">${usd}</th><th scope="col" class="number">${closeWords.columns.refunds}</th><th scope="col" class="number">${usd}</th></tr></thead>
<tbody>${shown.map(
    ([
      name,
      of,
    ]) => html`<tr${name === 'missing' && html` class="wrong"`}><th scope="row"${name === 'issuedOtherDay' && html` class="inner"`}>${closeWords.rows[name]}</th>${cells([of(sales), of(refunds)])}</tr>
`,
  )}<tr class="sum"><th scope="row">${closeWords.rows.sold}</th>${cells([sales.sold, refunds.sold])}</tr></tbody></table></div>`;
}

function threeWays({ issued, unanswered }: DayClose): Html {
  const answered = allShopsAnswered({ unanswered });
  const { sides } = closeWords;
  const shown = issued.filter(
    ({ states, service, shop }) => Object.keys(states).length + service.count + shop.count > 0,
  );
  const row = (name: string, values: readonly (string | number | null)[]) => {
    const known = values.filter((value) => value !== null).map((value) => decimal(value));
    const same = known.every((value) => value.equals(known[0] ?? 0));
    return html`<tr${!same && html` class="wrong"`}><th scope="row">${name}</th>${values.map((value) => html`<td class="number">${value ?? ''}</td>`)}<td>${same ? '=' : html`<strong>≠</strong>`}</td></tr>
`;
  };
  return html`<div class="table" role="region" tabindex="0" aria-label="${closeWords.three}"><table>
<thead><tr><td></td><th scope="col" class="number">${sides.shop}</th><th scope="col" class="number">${sides.ours}</th><th scope="col" class="number">${sides.service}</th><td></td></tr></thead>
<tbody>${shown.map(({ kind, shop, ours, service }) => {
    const name = closeWords.kinds[kind];
    const taxes = new Map([...ours.taxes, ...service.taxes].map((tax) => [taxName(tax), tax]));
    return html`${row(`${name}, ${closeWords.authorized}`, [answered ? shop.count : null, ours.count, service.count])}${row(`${name}, ${closeWords.total}`, [answered ? shop.total : null, ours.total, service.total])}${[
      ...taxes,
    ].flatMap(([key, tax]) => {
      const of = (side: typeof ours) => side.taxes.find((one) => taxName(one) === key);
      const [mine, its] = [of(ours), of(service)];
      return [
        row(`${closeWords.base} ${taxWords(tax)}`, [null, mine?.base ?? '0.00', its?.base ?? '0.00']),
        row(`${closeWords.value} ${taxWords(tax)}`, [null, mine?.valor ?? '0.00', its?.valor ?? '0.00']),
      ];
    })}`;
  })}</tbody></table></div>`;
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
  const { month: words } = closeWords;
  const stores = [...deps.settings.stores.values()];
  const fields = html`<div><label for="mes">${words.month}</label><input type="month" id="mes" name="mes" value="${month}" max="${ecuadorDay(now).slice(0, 7)}" pattern="[0-9]{4}-[0-9]{2}" required></div>
${stores.length > 1 && html`<div><label for="tienda">${words.store}</label><select id="tienda" name="tienda"><option value="">${words.all}</option>${stores.map(({ id }) => html`<option value="${id}">${id}</option>`)}</select></div>`}
<div class="acts"><button type="submit" class="plain">${words.download}</button></div>`;
  return html`<section aria-labelledby="del-mes"><h2 id="del-mes">${words.title}</h2><p class="soft">${words.message(month)}</p>
${
  mayDo(role, monthPage.role)
    ? html`<form method="get" action="${at(monthPage.path)}"><div class="filters wide">${fields}</div></form>`
    : html`<p class="soft">${words.notAllowed}</p>`
}</section>`;
}
