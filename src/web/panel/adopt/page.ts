import { z } from 'zod';
import { documentNumber } from '../../../domain/document.ts';
import { html } from '../../../domain/text.ts';
import { actionForm, kindName, money } from '../show.ts';
import { command } from '../today/actions.ts';
import type { PanelAction, PanelPage } from '../visit.ts';

const sent = z.object({
  documento: z.string().min(1).max(80),
  clave: z.string().max(200),
  respondo: z.literal('si').optional(),
});

/** The access key a person found on the SRI's site; jobs/take-key.ts checks it. */
export const adoptAction: PanelAction = {
  path: '/clave',
  role: 'configure',
  wantsFreshCode: true,
  async run(visit, form) {
    const { documento, clave, respondo } = sent.parse(form);
    const accessKey = clave.replace(/\s/g, '').slice(0, 60);
    const asked = { document: documento, accessKey, vouched: respondo === 'si' };
    const answer = await command(visit, 'adopt', asked, '');
    return answer.done ? answer : { ...answer, to: `/clave/${encodeURIComponent(documento)}` };
  },
};

/** `/panel/clave/:id`: takes the access key of a document that only a person can find. */
export const adoptPage: PanelPage = {
  path: '/clave/:id',
  role: 'configure',
  async show(visit) {
    const document = await visit.deps.ledger.documents.get(visit.params.id ?? '');
    if (!document || document.secuencial === null || ['authorized', 'cancelled'].includes(document.state))
      return { to: '', says: words.over, done: false };
    return {
      title: words.title(document.orderName),
      above: html`<p><a href="${visit.at('')}">${words.back}</a></p>`,
      body: html`<ul class="facts"><li>${kindName(document)} ${documentNumber(document)}</li><li>${money(document.charged)}</li><li>${document.storeId}</li></ul>
<div class="card narrow">${document.reason !== null && html`<p>${document.reason}</p>`}<p>${words.how}</p>
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

const words = {
  title: (order: string) => `Clave de acceso para el pedido ${order}`,
  back: 'Volver a los pendientes',
  how: 'Busque el documento por su número en el panel del servicio o en el portal del SRI y copie aquí los 49 dígitos de su clave de acceso. Antes de aceptarla se comprueba que sea de este pedido.',
  key: 'Clave de acceso',
  hint: '49 dígitos; los espacios no importan.',
  vouched:
    'El servicio no muestra este documento: yo comprobé en el portal del SRI que está autorizado y es de este pedido.',
  submit: 'Ingresar la clave',
  over: 'Ese documento no necesita una clave de acceso.',
};
