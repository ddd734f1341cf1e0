import { type Html, html, type Piece } from '../../../domain/html.ts';
import { decimal, sum, toAmount } from '../../../domain/money.ts';
import type { KeptClose } from '../../../ledger/closes.ts';
import { creditWords } from '../../../reports/close/credits.ts';
import {
  allShopsSaid,
  type DayClose,
  type Explained,
  type Fates,
  type Tally,
} from '../../../reports/close/day-close.ts';
import { readKept } from '../../../reports/close/keep-close.ts';
import { isSigned } from '../../../reports/close/signing.ts';
import { taxName } from '../../../reports/tax-rows.ts';
import { taxWords } from '../../../reports/tax-words.ts';
import { kept, moment } from '../show.ts';
import type { Visit } from '../visit.ts';
import { closeWords } from './words.ts';

/** A close for a person: the verdict first, then what does not add up, then the figures. */
export function toldClose(visit: Visit, close: DayClose, explained: readonly Explained[] = []): Html {
  const words = closeWords[visit.language];
  const { result, provisional, differences, unanswered, foreign } = close;
  return html`<div class="verdict ${result}" role="status"><span class="sign" aria-hidden="true">${words.signs[result]}</span><p>${words.results[result]}${provisional && ` ${words.provisional}`}</p></div>
${list(
  words.differences,
  differences.map((one) => difference(visit, one)),
)}
${list(
  words.unanswered,
  unanswered.map(({ sentence }) => html`<li>${kept(sentence, 'span')}</li>`),
)}
${list(
  words.roundings,
  (close.roundings ?? []).map((one) => difference(visit, one)),
)}
${list(
  words.credits,
  (close.credits ?? []).map((one) => html`<li>${kept(creditWords(one), 'span')}</li>`),
)}
<section aria-labelledby="suerte"><h2 id="suerte">${words.fates}</h2>${fatesTable(visit, close)}</section>
<section aria-labelledby="tres"><h2 id="tres">${words.three}</h2><p class="soft">${words.threeSays}</p>${threeWays(visit, close)}</section>
${list(
  words.explained,
  explained.map(
    ({ order, reason }) =>
      html`<li>${find(visit, order, words.ofOrder(order))}: ${kept(reason, 'span')}</li>`,
  ),
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

const find = ({ at }: Visit, text: string, label: Piece): Html =>
  html`<a href="${at(`/buscar?q=${encodeURIComponent(text)}`)}">${label}</a>`;

function difference(visit: Visit, { sentence, order, number }: DayClose['differences'][number]): Html {
  const words = closeWords[visit.language];
  return html`<li>${kept(sentence, 'span')} ${order !== null && find(visit, order, words.seeOrder)} ${number !== null && find(visit, number, words.seeDocument)}</li>`;
}

/** Who signed a kept close, and whether it is still what was signed. */
export function toldSignature(visit: Visit, close: KeptClose): Html {
  const words = closeWords[visit.language];
  const { n, closedAt, hash, publicKey, content, signature } = close;
  const whole = isSigned(content, signature, publicKey) && readKept(close).result === close.result;
  return html`<section aria-labelledby="firma"><h2 id="firma">${words.signature}</h2>
<p${!whole && html` class="notice bad"`}>${whole ? words.signed : words.altered}</p>
<dl class="pairs"><div><dt>${words.number}</dt><dd>${n}</dd></div><div><dt>${words.at}</dt><dd>${moment(closedAt, visit)}</dd></div><div><dt>${words.hash}</dt><dd><span class="key">${hash}</span></dd></div><div><dt>${words.key}</dt><dd><span class="key">${publicKey}</span></dd></div></dl></section>`;
}

const added = (tallies: readonly Tally[]): Tally => ({
  count: tallies.reduce((all, { count }) => all + count, 0),
  total: toAmount(sum(tallies.map(({ total }) => total))),
});

const rows: readonly [name: keyof (typeof closeWords)['es']['rows'], of: (fates: Fates) => Tally][] = [
  ['issued', ({ issued }) => issued],
  ['issuedOtherDay', ({ issuedOtherDay }) => issuedOtherDay],
  ['netted', ({ netted }) => netted],
  ['underWay', ({ underWay }) => underWay],
  ['waiting', ({ waiting }) => added(waiting)],
  ['unneeded', ({ unneeded }) => added(unneeded)],
  ['missing', ({ missing }) => missing],
];

const cells = (tallies: readonly Tally[]): Html[] =>
  tallies.map(({ count, total }) => html`<td class="number">${count}</td><td class="number">${total}</td>`);

/** What became of everything sold and given back: the rows add up to the last one. */
function fatesTable({ language }: Visit, { sales, refunds }: DayClose): Html {
  const words = closeWords[language];
  const { what, usd } = words.columns;
  const shown = rows.filter(([, of]) => of(sales).count > 0 || of(refunds).count > 0);
  return html`<div class="table" role="region" tabindex="0" aria-label="${words.fates}"><table>
<thead><tr><th scope="col">${what}</th><th scope="col" class="number">${words.columns.sales}</th><th scope="col" class="number">${usd}</th><th scope="col" class="number">${words.columns.refunds}</th><th scope="col" class="number">${usd}</th></tr></thead>
<tbody>${shown.map(
    ([
      name,
      of,
    ]) => html`<tr${name === 'missing' && html` class="wrong"`}><th scope="row"${name === 'issuedOtherDay' && html` class="inner"`}>${words.rows[name]}</th>${cells([of(sales), of(refunds)])}</tr>
`,
  )}<tr class="sum"><th scope="row">${words.rows.sold}</th>${cells([sales.sold, refunds.sold])}</tr></tbody></table></div>`;
}

/** The three accounts side by side; a row in which they differ is marked, and says so. */
function threeWays({ language }: Visit, { issued, unanswered }: DayClose): Html {
  const said = allShopsSaid({ unanswered });
  const words = closeWords[language];
  const { sides } = words;
  const shown = issued.filter(
    ({ states, service, shop }) => Object.keys(states).length + service.count + shop.count > 0,
  );
  const row = (name: string, values: readonly (string | number | null)[]) => {
    const known = values.filter((value) => value !== null).map((value) => decimal(value));
    const same = known.every((value) => value.equals(known[0] ?? 0));
    return html`<tr${!same && html` class="wrong"`}><th scope="row">${name}</th>${values.map((value) => html`<td class="number">${value ?? ''}</td>`)}<td>${same ? '=' : html`<strong>≠</strong>`}</td></tr>
`;
  };
  return html`<div class="table" role="region" tabindex="0" aria-label="${words.three}"><table>
<thead><tr><td></td><th scope="col" class="number">${sides.shop}</th><th scope="col" class="number">${sides.ours}</th><th scope="col" class="number">${sides.service}</th><td></td></tr></thead>
<tbody>${shown.map(({ kind, shop, ours, service }) => {
    const name = words.kinds[kind];
    const taxes = new Map([...ours.taxes, ...service.taxes].map((tax) => [taxName(tax), tax]));
    return html`${row(`${name}, ${words.authorized}`, [said ? shop.count : null, ours.count, service.count])}${row(`${name}, ${words.total}`, [said ? shop.total : null, ours.total, service.total])}${[
      ...taxes,
    ].flatMap(([key, tax]) => {
      const of = (side: typeof ours) => side.taxes.find((one) => taxName(one) === key);
      const [mine, its] = [of(ours), of(service)];
      return [
        row(`${words.base} ${taxWords(tax)}`, [null, mine?.base ?? '0.00', its?.base ?? '0.00']),
        row(`${words.value} ${taxWords(tax)}`, [null, mine?.valor ?? '0.00', its?.valor ?? '0.00']),
      ];
    })}`;
  })}</tbody></table></div>`;
}
