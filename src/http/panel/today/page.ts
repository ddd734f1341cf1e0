import { html } from '../../../core/html.ts';
import type { PanelPage } from '../visit.ts';
import { todayWords } from './words.ts';

/** `/panel`: the work list, what is most urgent first. */
export const todayPage: PanelPage = {
  path: '',
  role: 'read',
  nav: { order: 1, label: { es: todayWords.es.nav, en: todayWords.en.nav } },
  async show({ language }) {
    const words = todayWords[language];
    return { title: words.title, body: html`<div class="empty"><p>${words.nothing}</p></div>` };
  },
};
