import { html } from '../../../domain/html.ts';
import type { PanelPage } from '../visit.ts';
import { figuresOf } from './figures.ts';
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
    const work = await gatherWork(visit.deps);
    const { lines, waiting, seen } = work;
    const few = seen < waiting && html`<p class="soft">${words.more(seen)}</p>`;
    const empty = html`<div class="empty"><h2>${words.nothing.title}</h2><p>${words.nothing.says}</p></div>`;
    const list = html`<h2 class="over">${words.list}</h2>${few}<ol class="cards">${lines.map((line) => lineCard(visit, line))}</ol>`;
    return {
      title: words.title,
      body: html`${await figuresOf(visit, work)}${lines.length === 0 ? empty : list}`,
    };
  },
};
