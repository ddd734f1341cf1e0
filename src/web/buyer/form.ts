import type { BuyerAnswer } from '../../domain/buyer-question.ts';
import { type Html, html } from '../../domain/html.ts';
import { toAmount } from '../../domain/money.ts';
import { inEcuador } from '../../jobs/buyer/letter.ts';
import type { AnswerFlaws, GivenAnswer } from '../../planner/identity/answer.ts';
import type { Page } from '../pages.ts';

/** What the buyer sees of the order, and of what was written before. */
export interface Asked {
  shop: string;
  order: string;
  total: string;
  /** null once it has passed. */
  cutOffAt: Date | null;
  now: Date;
  /** What happens when nobody answers in time, for the buyer. */
  afterCutOff: string;
  /** Whether a registry may be asked for the name. */
  names: boolean;
  given: GivenAnswer;
  flaws: AnswerFlaws;
  /** The name in the form came from the registry. */
  suggested: boolean;
}

const kinds: readonly [BuyerAnswer['type'], string][] = [
  ['cedula', 'Cédula'],
  ['ruc', 'RUC'],
  ['pasaporte', 'Pasaporte'],
  ['exterior', 'Del exterior'],
];

/** The form of an open question. */
export function questionPage(asked: Asked): Page {
  const { shop, order, total, names, flaws } = asked;
  const bad = Object.keys(flaws).length > 0;
  return {
    title: bad ? 'Revise lo marcado' : 'Su factura necesita su identificación',
    shop,
    scripts: ['identificacion.js'],
    body: html`${bad && summary(flaws)}
<dl><dt>Pedido</dt><dd>${order}</dd><dt>Total</dt><dd>USD ${toAmount(total)}</dd></dl>
${deadline(asked)}
<form method="post" data-buyer${names && html` data-names`} novalidate autocomplete="on">
${kindField(asked)}
${idField(asked)}
${nameField(asked)}
${emailField(asked)}
<div><button type="submit">Guardar y recibir mi factura</button>
<p class="hint">La factura sale apenas lo guarde. Una factura emitida ya no se puede cambiar.</p></div>
</form>`,
  };
}

const fieldNames = { type: 'tipo', id: 'identificacion', name: 'nombre', email: 'correo' } as const;

function summary(flaws: AnswerFlaws): Html {
  const entries = Object.entries(flaws) as [keyof AnswerFlaws, string][];
  return html`<div class="summary" role="alert" tabindex="-1" autofocus><p>Falta corregir:</p><ul>
${entries.map(([field, says]) => html`<li><a href="#${field === 'type' ? 'tipo-cedula' : fieldNames[field]}">${says}</a></li>`)}
</ul></div>`;
}

function deadline({ cutOffAt, now, afterCutOff }: Asked): Html {
  if (cutOffAt === null)
    return html`<p class="soft">El plazo ya pasó, pero su factura sigue pendiente y todavía puede completarla.</p>`;
  const seconds = Math.round((cutOffAt.getTime() - now.getTime()) / 1000);
  return html`<p class="soft">Tiene hasta el <time datetime="${cutOffAt.toISOString()}">${inEcuador(cutOffAt)}</time>,
hora de Ecuador<span data-left="${seconds}"></span>. ${afterCutOff}</p>`;
}

const flawOf = (says: string | undefined, id: string): Html =>
  html`<p class="flaw" id="${id}"${id === 'identificacion-reparo' && html` aria-live="polite"`}>${says}</p>`;
const invalid = (says: string | undefined): Html | false => says !== undefined && html` aria-invalid="true"`;

function kindField({ given, flaws }: Asked): Html {
  return html`<fieldset aria-describedby="tipo-reparo"><legend>¿Qué identificación tiene?</legend><div class="kinds">
${kinds.map(
  ([value, name]) =>
    html`<label><input type="radio" name="tipo" id="tipo-${value}" value="${value}"${given.type === value && html` checked`} required> ${name}</label>`,
)}</div>${flawOf(flaws.type, 'tipo-reparo')}</fieldset>`;
}

function idField({ given, flaws }: Asked): Html {
  return html`<div><label class="name" for="identificacion">Número</label>
<input type="text" id="identificacion" name="identificacion" value="${given.id}" maxlength="40" inputmode="${given.type === 'pasaporte' || given.type === 'exterior' ? 'text' : 'numeric'}" autocomplete="off" autocapitalize="characters" spellcheck="false" required aria-describedby="identificacion-ayuda identificacion-reparo"${invalid(flaws.id)}>
<p class="hint" id="identificacion-ayuda">La cédula tiene 10 dígitos; el RUC, 13.</p>${flawOf(flaws.id, 'identificacion-reparo')}</div>`;
}

function nameField({ given, flaws, suggested }: Asked): Html {
  const offer = suggested
    ? 'Este nombre consta en el registro: compruébelo o corríjalo y guarde de nuevo.'
    : '';
  return html`<div><label class="name" for="nombre">Nombres y apellidos, o razón social</label>
<input type="text" id="nombre" name="nombre" value="${given.name}" maxlength="300" autocomplete="name" required aria-describedby="nombre-reparo sugerencia"${invalid(flaws.name)}>
${flawOf(flaws.name, 'nombre-reparo')}<p class="hint" id="sugerencia" role="status">${offer}</p></div>`;
}

function emailField({ given, flaws }: Asked): Html {
  return html`<div><label class="name" for="correo">Correo para la factura <span class="soft">(opcional)</span></label>
<input type="email" id="correo" name="correo" value="${given.email}" maxlength="300" autocomplete="email" aria-describedby="correo-reparo"${invalid(flaws.email)}>
${flawOf(flaws.email, 'correo-reparo')}</div>`;
}
