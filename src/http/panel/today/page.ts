import { html } from '../../../core/html.ts';
import type { PanelPage } from '../visit.ts';
import { gatherWork } from './gather.ts';
import { lineCard } from './lines.ts';
import { todayWords } from './words.ts';

/** `/panel`: the work list, what is most urgent first. */
export const todayPage: PanelPage = {
  path: '',
  role: 'read',
  nav: { order: 1, label: { es: todayWords.es.nav, en: todayWords.en.nav } },
  async show(visit) {
    const words = todayWords[visit.language];
    const { lines, waiting, onTheWay, seen } = await gatherWork(visit.deps);
    const tally = html`<p class="soft">${words.tally(waiting, onTheWay)}${seen < waiting && ` ${words.more(seen)}`}</p>`;
    const empty = html`<div class="empty"><h2>${words.nothing.title}</h2><p>${words.nothing.says}</p></div>`;
    const list = html`<ol class="cards">${lines.map((line) => lineCard(visit, line))}</ol>`;
    return { title: words.title, body: html`${tally}${lines.length === 0 ? empty : list}` };
  },
};
