import { z } from 'zod';
import { ecuadorDay } from '../../../domain/calendar.ts';
import { type Html, html } from '../../../domain/html.ts';
import { mayDo } from '../../../domain/people.ts';
import { owner } from '../../../domain/scope.ts';
import type { PanelPage, Visit } from '../visit.ts';
import { closeWords } from './words.ts';

const asked = z.object({ mes: z.string().max(7), tienda: z.string().max(63).default('') });

/** `/panel/cierre/mes`: the archive of a month for the accountant. It names buyers, so that not everybody sees it. */
export const monthPage: PanelPage = {
  path: '/cierre/mes',
  role: 'operate',
  async show({ deps, query, by }) {
    const { mes, tienda } = asked.parse(Object.fromEntries(query));
    const write = deps.exporting.download({ month: mes, ...(tienda !== '' && { store: tienda }) });
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
          deps.log.warn({ err: error, month: mes }, 'The download of a month broke off');
          await written('failed', {});
          throw error;
        }
      },
    };
  },
};

/** The form that asks for it, with the month of the day that is shown. */
export function monthForm({ language, at, now, role, deps }: Visit, month: string): Html {
  const words = closeWords[language].month;
  const stores = [...deps.settings.stores.values()].filter(({ shadow }) => !shadow?.only);
  const fields = html`<div><label for="mes">${words.month}</label><input type="month" id="mes" name="mes" value="${month}" max="${ecuadorDay(now).slice(0, 7)}" pattern="[0-9]{4}-[0-9]{2}" required></div>
${stores.length > 1 && html`<div><label for="tienda">${words.store}</label><select id="tienda" name="tienda"><option value="">${words.all}</option>${stores.map(({ id }) => html`<option value="${id}">${id}</option>`)}</select></div>`}
<div class="acts"><button type="submit" class="plain">${words.download}</button></div>`;
  return html`<section aria-labelledby="del-mes"><h2 id="del-mes">${words.title}</h2><p class="soft">${words.says(month)}</p>
${
  mayDo(role, monthPage.role)
    ? html`<form method="get" action="${at(monthPage.path)}"><div class="filters wide">${fields}</div></form>`
    : html`<p class="soft">${words.notAllowed}</p>`
}</section>`;
}
