import { type Html, html } from '../../../domain/html.ts';
import { decimal, sum, toAmount } from '../../../domain/money.ts';
import { allShopsSaid, type DayClose, type Fates, type Tally } from '../../../reports/close/day-close.ts';
import { taxName } from '../../../reports/tax-rows.ts';
import { taxWords } from '../../../reports/tax-words.ts';
import type { Visit } from '../visit.ts';
import { closeWords } from './words.ts';

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
export function fatesTable({ language }: Visit, { sales, refunds }: DayClose): Html {
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
export function threeWays({ language }: Visit, { issued, unanswered }: DayClose): Html {
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
