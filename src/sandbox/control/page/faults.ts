import { z } from 'zod';
import type { FaultInput } from '../../faults/schema.ts';
import type { World } from '../../world.ts';
import { type FaultField, type FaultForm, faultForms } from './fault-forms.ts';
import { type Html, html } from './html.ts';
import { badge, card, empty, type Form, type View } from './parts.ts';

/** `/pagina/fallas`: every disturbance one click away, and what still waits to happen. */
export function faultsView(world: World, form: Form): View {
  const body = html`<h1>Fallas</h1>
<p class="lead">Cada falla espera a la próxima respuesta o entrega a la que toca, actúa y se gasta.</p>
${card('En espera', waitingList(world), world.faults.list().length > 0 && form('fallas/quitar', html`<button>Quitar todas</button>`))}
${card('Agregar', html`<ul class="faults">${faultForms.map((one) => faultItem(one, form))}</ul>`)}`;
  return { title: 'Fallas', section: '/pagina/fallas', body };
}

const titleOf = (kind: string) => faultForms.find((one) => one.kind === kind)?.title ?? kind;

function waitingList(world: World): Html {
  const waiting = world.faults.list();
  if (waiting.length === 0) return empty('Ninguna: el sandbox se porta bien.');
  return html`<ul class="faults">${waiting.map(
    ({ kind, left, detail }) =>
      html`<li><div class="grow"><strong>${titleOf(kind)}</strong><span class="under">${details(detail)}</span></div>${badge('wait', left === null ? 'hasta quitarla' : left === 1 ? '1 vez' : `${left} veces`)}</li>`,
  )}</ul>`;
}

const details = (detail: object) =>
  Object.entries(detail)
    .filter(([name, value]) => name !== 'times' && value !== '' && value !== undefined)
    .map(([name, value]) => `${name} ${value}`)
    .join(' · ');

function faultItem({ kind, title, says, fields }: FaultForm, form: Form): Html {
  const body = html`<input type="hidden" name="falla" value="${kind}">${fields.map((one) => control(one, title))}<button aria-label="Agregar ${title}">Agregar</button>`;
  return html`<li><div class="grow"><strong>${title}</strong><span class="under">${says}</span></div>${form('fallas', body, { kind: 'inline' })}</li>`;
}

function control({ name, label, value, choices, optional }: FaultField, title: string): Html {
  const attributes = html`name="${name}" aria-label="${label}: ${title}"`;
  if (choices) {
    const options = choices.map(
      ([one, text]) => html`<option value="${one}"${one === value && html` selected`}>${text}</option>`,
    );
    return html`<label>${label}<select ${attributes}>${options}</select></label>`;
  }
  const number = /^\d+$/.test(value);
  return html`<label>${label}<input ${attributes} value="${value}"${!optional && html` required`}${number ? html` type="number" min="1" class="few"` : html` type="text"`}></label>`;
}

/** Adds the disturbance a form asks for; answers why it cannot be, or undefined when it is done. */
export function addFault(world: World, asked: Readonly<Record<string, string>>): string | undefined {
  const wanted = faultForms.find(({ kind }) => kind === asked.falla);
  if (!wanted) return 'Esa falla no existe.';
  const entries = wanted.fields
    .map(({ name }) => [name, asked[name]?.trim() ?? ''] as const)
    .filter(([, value]) => value !== '')
    .map(([name, value]) => [name, name !== 'identificacion' && /^\d+$/.test(value) ? Number(value) : value]);
  try {
    world.faults.add({ [wanted.kind]: Object.fromEntries(entries) } as FaultInput);
    return undefined;
  } catch (error) {
    if (!(error instanceof z.ZodError)) throw error;
    const fields = error.issues.map(
      ({ path }) => wanted.fields.find(({ name }) => name === path.at(-1))?.label,
    );
    return `No se agregó: revise ${[...new Set(fields.filter(Boolean))].join(' y ') || 'los valores'}.`;
  }
}
