import { z } from 'zod';
import { documentNumber } from '../../../domain/document.ts';
import { html } from '../../../domain/html.ts';
import { actionForm } from '../forms.ts';
import { kept, kindName, money } from '../show.ts';
import type { PanelAction, PanelPage } from '../visit.ts';
import { adoptWords } from './words.ts';

const sent = z.object({
  documento: z.string().min(1).max(80),
  clave: z.string().max(200),
  respondo: z.literal('si').optional(),
});

/** What a person found on the SRI's site; the step that takes it checks it (jobs/take-key.ts). */
export const adoptAction: PanelAction = {
  path: '/clave',
  role: 'configure',
  wantsFreshCode: true,
  async run(visit, form) {
    const { documento, clave, respondo } = sent.parse(form);
    const accessKey = clave.replace(/\s/g, '').slice(0, 60);
    const asked = { document: documento, accessKey, vouched: respondo === 'si' };
    const answer = await visit.deps.commands.run('adopt', { ...asked, by: visit.by });
    const done = answer?.done ?? false;
    return { to: done ? '' : `/clave/${encodeURIComponent(documento)}`, says: answer?.says ?? '', done };
  },
};

/** `/panel/clave/:id`: the access key of a document that only a person could find. */
export const adoptPage: PanelPage = {
  path: '/clave/:id',
  role: 'configure',
  async show(visit) {
    const document = await visit.deps.ledger.documents.get(visit.params.id ?? '');
    const words = adoptWords[visit.language];
    if (!document || document.secuencial === null || ['authorized', 'cancelled'].includes(document.state))
      return { to: '', says: adoptWords.es.over, done: false };
    return {
      title: words.title(document.orderName),
      above: html`<p><a href="${visit.at('')}">${words.back}</a></p>`,
      body: html`<ul class="facts"><li>${kindName(document, visit.language)} ${documentNumber(document)}</li><li>${money(document.charged)}</li><li>${document.storeId}</li></ul>
<div class="card narrow">${document.reason !== null && kept(document.reason)}<p>${words.how}</p>
${actionForm(visit, adoptAction, {
  fields: { documento: document.id },
  label: words.submit,
  kind: 'entry',
  body: html`<div><label for="clave">${words.key}</label>
<input type="text" id="clave" name="clave" class="key" inputmode="numeric" autocomplete="off" spellcheck="false" maxlength="80" required aria-describedby="clave-ayuda">
<p class="hint" id="clave-ayuda">${words.hint}</p></div>
<label class="check"><input type="checkbox" name="respondo" value="si"> <span>${words.vouched}</span></label>`,
})}</div>`,
    };
  },
};
