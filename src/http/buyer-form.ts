import { z } from 'zod';
import { toAmount } from '../domain/money.ts';
import { type Html, html, type Piece } from '../domain/text.ts';
import { inEcuador } from '../jobs/ask-buyer.ts';
import type { AnswerFlaws, GivenAnswer } from '../planner/identity/choice.ts';
import type { Page } from './pages.ts';

const text = z.string().max(400).catch('');

export const givenForm = z
  .object({
    tipo: z.enum(['cedula', 'ruc', 'pasaporte', 'exterior']).nullable().catch(null),
    identificacion: text,
    nombre: text,
    correo: text,
  })
  .transform(
    ({ tipo, identificacion, nombre, correo }): GivenAnswer => ({
      type: tipo,
      id: identificacion,
      name: nombre,
      email: correo,
    }),
  );

export interface Filled {
  given: GivenAnswer;
  flaws: AnswerFlaws;
}

export const unfilled: Filled = { given: { type: 'cedula', id: '', name: '', email: '' }, flaws: {} };

export interface Asked extends Filled {
  shop: string;
  order: string;
  total: string;
  cutOffAt: Date | null;
  now: Date;
  afterCutOff: string;
  names: boolean;
  suggested: boolean;
}

export function questionPage(asked: Asked): Page {
  const { shop, order, total, names, flaws, suggested } = asked;
  const bad = Object.keys(flaws).length > 0;
  const offer = suggested
    ? 'Este nombre consta en el registro: compruébelo o corríjalo y guarde de nuevo.'
    : '';
  return {
    title: bad ? 'Revise lo marcado' : 'Su factura necesita su identificación',
    shop,
    scripts: ['identificacion.js'],
    body: html`${bad && flawSummary('summary', 'Falta corregir:', flawLinks(flaws))}
<dl><dt>Pedido</dt><dd>${order}</dd><dt>Total</dt><dd>USD ${toAmount(total)}</dd></dl>
${deadline(asked)}
<form method="post" data-buyer${names && html` data-names`} novalidate autocomplete="on">
${identificationFields('¿Qué identificación tiene?', asked, { name: 'name', email: 'email', offer })}
<div><button type="submit">Guardar y recibir mi factura</button>
<p class="hint">La factura sale apenas lo guarde. Una factura emitida ya no se puede cambiar.</p></div>
</form>`,
  };
}

function deadline({ cutOffAt, now, afterCutOff }: Asked): Html {
  if (cutOffAt === null)
    return html`<p class="soft">El plazo ya pasó, pero su factura sigue pendiente y todavía puede completarla.</p>`;
  const seconds = Math.round((cutOffAt.getTime() - now.getTime()) / 1000);
  return html`<p class="soft">Tiene hasta el <time datetime="${cutOffAt.toISOString()}">${inEcuador(cutOffAt)}</time>,
hora de Ecuador<span data-left="${seconds}"></span>. ${afterCutOff}</p>`;
}

export const flawSummary = (
  look: 'summary' | 'notice bad',
  title: string,
  flaws: readonly (readonly [field: string, message: string])[],
): Html =>
  html`<div class="${look}" role="alert" tabindex="-1" autofocus><p>${title}</p><ul>
${flaws.map(([field, message]) => html`<li><a href="#${field}">${message}</a></li>`)}
</ul></div>`;

const fieldIds = { type: 'tipo-cedula', id: 'identificacion', name: 'nombre', email: 'correo' } as const;

export const flawLinks = (flaws: AnswerFlaws): [field: string, message: string][] =>
  (Object.entries(flaws) as [keyof AnswerFlaws, string][]).map(([field, message]) => [
    fieldIds[field],
    message,
  ]);

const words = {
  kinds: { cedula: 'Cédula', ruc: 'RUC', pasaporte: 'Pasaporte', exterior: 'Del exterior' },
  id: 'Número',
  idHint: 'La cédula tiene 10 dígitos; el RUC, 13.',
  name: 'Nombres y apellidos, o razón social',
  email: 'Correo para la factura',
  optional: '(opcional)',
};

export const flaw = (message: string | undefined, id: string): Html =>
  html`<p class="flaw" id="${id}" lang="es"${id === 'identificacion-reparo' && html` aria-live="polite"`}>${message}</p>`;
export const invalid = (message: string | undefined): Piece =>
  message !== undefined && html` aria-invalid="true"`;

/** Both the buyer's page and the panel show these fields. */
export function identificationFields(
  question: string,
  { given, flaws }: Filled,
  { name, email, offer }: { name: 'name' | 'off'; email: 'email' | 'off'; offer: string },
): Html {
  const inputMode = given.type === 'pasaporte' || given.type === 'exterior' ? 'text' : 'numeric';
  return html`<fieldset aria-describedby="tipo-reparo"><legend>${question}</legend><div class="kinds">
${Object.entries(words.kinds).map(
  ([value, label]) =>
    html`<label><input type="radio" name="tipo" id="tipo-${value}" value="${value}"${given.type === value && html` checked`} required> ${label}</label>`,
)}</div>${flaw(flaws.type, 'tipo-reparo')}</fieldset>
<div><label class="name" for="identificacion">${words.id}</label>
<input type="text" id="identificacion" name="identificacion" value="${given.id}" maxlength="40" inputmode="${inputMode}" autocomplete="off" autocapitalize="characters" spellcheck="false" required aria-describedby="identificacion-ayuda identificacion-reparo"${invalid(flaws.id)}>
<p class="hint" id="identificacion-ayuda">${words.idHint}</p>${flaw(flaws.id, 'identificacion-reparo')}</div>
<div><label class="name" for="nombre">${words.name}</label>
<input type="text" id="nombre" name="nombre" value="${given.name}" maxlength="300" autocomplete="${name}" required aria-describedby="nombre-reparo sugerencia"${invalid(flaws.name)}>
${flaw(flaws.name, 'nombre-reparo')}<p class="hint" id="sugerencia" role="status">${offer}</p></div>
<div><label class="name" for="correo">${words.email} <span class="soft">${words.optional}</span></label>
<input type="email" id="correo" name="correo" value="${given.email}" maxlength="300" autocomplete="${email}" aria-describedby="correo-reparo"${invalid(flaws.email)}>
${flaw(flaws.email, 'correo-reparo')}</div>`;
}
