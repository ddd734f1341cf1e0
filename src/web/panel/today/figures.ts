import { ecuadorDay } from '../../../domain/calendar.ts';
import { documentKinds } from '../../../domain/document.ts';
import { type Html, html } from '../../../domain/html.ts';
import { decimal, sum, toAmount } from '../../../domain/money.ts';
import { money } from '../show.ts';
import type { Visit } from '../visit.ts';
import type { WorkList } from './gather.ts';
import { todayWords } from './words.ts';

/** The day in four figures: what is done, what goes on by itself, what waits. Production where there is any. */
export async function figuresOf(visit: Visit, { waiting, onTheWay }: WorkList): Promise<Html> {
  const { deps, now, language } = visit;
  const words = todayWords[language].figures;
  const stores = [...deps.settings.stores.values()];
  const ambiente = stores.some(({ issuer }) => issuer.ambiente === 2) ? 2 : 1;
  const tallies = (await deps.ledger.dayTallies.since(ecuadorDay(now), now)).filter(
    (one) => one.ambiente === ambiente && one.state === 'authorized',
  );
  const authorized = documentKinds.map((kind) => {
    const rows = tallies.filter((one) => one.kind === kind);
    const count = rows.reduce((all, one) => all + one.count, 0);
    return tile(words[kind], count, money(toAmount(sum(rows.map(({ amount }) => decimal(amount))))));
  });
  return html`<dl class="tiles">${authorized}${tile(words.onTheWay, onTheWay, onTheWay > 0 ? words.byThemselves : words.none)}${tile(words.waiting, waiting, waiting > 0 ? words.below : words.none, waiting > 0)}</dl>
${ambiente === 1 && html`<p class="soft">${words.test}</p>`}`;
}

function tile(label: string, count: number, more: Html | string, wants = false): Html {
  return html`<div${wants && html` class="wants"`}><dt>${label}</dt><dd><strong>${count}</strong> <span>${more}</span></dd></div>`;
}
