import { z } from 'zod';
import { type Html, html } from '../../../../src/domain/text.ts';
import { magicBuyers } from '../../authority/magic.ts';
import type { FaultInput } from '../../faults/schema.ts';
import { allOperations } from '../../operations/all.ts';
import type { World } from '../../world.ts';
import { type FaultField, type FaultForm, faultForms, titleOf } from './fault-forms.ts';
import { badge, card, empty, type Form, table, type View } from './parts.ts';
import { moment } from './words.ts';

type Asked = Readonly<Record<string, string>>;

/** `/pagina/fallas`: every disturbance one click away, what still waits to happen, and what has happened. */
export function faultsView(world: World, form: Form): View {
  const waiting = world.faults.list();
  const clear = waiting.length > 0 && form('fallas/quitar', html`<button>Quitar todas</button>`);
  const operations = allOperations(world).map(({ id }) => id);
  const group = (strikes: FaultForm['strikes'], title: string) =>
    card(
      title,
      html`<ul class="faults">${faultForms.filter((one) => one.strikes === strikes).map((one) => faultItem(one, operations, form))}</ul>`,
    );
  const body = html`<h1>Fallas</h1>
<p class="lead">Cada falla espera a la próxima respuesta o entrega a la que toca, actúa y se gasta.</p>
${card('En espera', waitingList(world), clear)}
${card('Ocurridas', struckTable(world))}
${group('answer', 'Agregar a las respuestas')}
${group('event', 'Agregar a los webhooks')}
${group('document', 'Decidir el resultado')}
${card('Compradores mágicos', magicTable())}`;
  return { title: 'Fallas', section: '/pagina/fallas', body };
}

function waitingList({ faults }: World): Html {
  const waiting = faults.list();
  if (waiting.length === 0) return empty('Ninguna: el sandbox se porta bien.');
  return html`<ul class="faults">${waiting.map(
    ({ kind, left, until, detail }) =>
      html`<li><div class="grow"><strong>${titleOf(kind)}</strong><span class="under">${details(detail)}${until && html` · hasta ${moment(until)}`}</span></div>${badge('wait', left === null ? 'hasta quitarla' : left === 1 ? '1 vez' : `${left} veces`)}</li>`,
  )}</ul>`;
}

const details = (detail: object) =>
  Object.entries(detail)
    .filter(([name, value]) => !['times', 'durante'].includes(name) && value !== '' && value !== undefined)
    .map(([name, value]) => `${name} ${Array.isArray(value) ? value.join(', ') : value}`)
    .join(' · ');

function struckTable(world: World): Html {
  const latest = world.faults.struck().slice(-20).reverse();
  if (latest.length === 0) return empty('Todavía ninguna.');
  const rows = latest.map(({ at, kind, operacion, evento, claveacceso, chaos }) => {
    const document = claveacceso === null ? undefined : world.documents.byKey(claveacceso);
    return html`<tr><td><strong>${titleOf(kind)}</strong>${chaos && html`<span class="under">al azar</span>`}</td>
<td><code class="key">${evento ?? operacion ?? '—'}</code></td>
<td>${document ? html`<a href="/pagina/comprobantes/${document.claveacceso}">${document.numero}</a>` : '—'}</td>
<td class="num">${moment(at)}</td></tr>`;
  });
  const columns = [
    { name: 'Falla' },
    { name: 'Dónde' },
    { name: 'Comprobante' },
    { name: 'Hora', kind: 'num' },
  ];
  return table('Fallas ocurridas, la última primero', columns, rows);
}

function magicTable(): Html {
  const rows = magicBuyers.map(
    ({ cedula, pasaporte, says }) =>
      html`<tr><td><code>${cedula}</code></td><td><code>${pasaporte}</code></td><td>${says}</td></tr>`,
  );
  const columns = [{ name: 'Cédula' }, { name: 'Pasaporte' }, { name: 'Sus comprobantes terminan' }];
  return html`<details id="magicos" class="pad"><summary>Identificaciones que siempre terminan igual, sin pedir nada aquí</summary>${table('Compradores mágicos', columns, rows)}</details>`;
}

function faultItem(
  { kind, title, says, strikes, fields }: FaultForm,
  operations: string[],
  form: Form,
): Html {
  const operation: FaultField = {
    ...{ name: 'operacion', label: 'Operación', value: '', optional: true },
    // Said by the fault itself: the service's own limit strikes everywhere.
    choices: [
      ['', kind === 'tooManyRequests' ? 'Cualquiera' : 'Emisiones'],
      ['*', 'Todas'],
      ...operations.map((id) => [id, id] as const),
    ],
  };
  const all = strikes === 'answer' ? [operation, ...fields] : fields;
  const body = html`<input type="hidden" name="falla" value="${kind}">${all.map((one) => control(one, title))}<button aria-label="Agregar: ${title}">Agregar</button>`;
  return html`<li id="f-${kind}"><div class="grow"><strong>${title}</strong><span class="under">${says}</span></div>${form('fallas', body, { kind: 'inline' })}</li>`;
}

function control({ name, label, value, choices, optional }: FaultField, title: string): Html {
  const attributes = html`name="${name}" aria-label="${label}: ${title}"`;
  if (choices) {
    const options = choices.map(
      ([one, text]) => html`<option value="${one}"${one === value && html` selected`}>${text}</option>`,
    );
    return html`<label>${label}<select ${attributes}>${options}</select></label>`;
  }
  const step = value.includes('.') ? 'any' : '1';
  const type = /^[\d.]+$/.test(value)
    ? html`type="number" min="0" step="${step}" class="few"`
    : html`type="text"`;
  return html`<label>${label}<input ${attributes} value="${value}"${!optional && html` required`} ${type}></label>`;
}

/** Adds the disturbance a form asks for; answers why it cannot be, or undefined when it is done. */
export function addFault(world: World, asked: Asked): string | undefined {
  const wanted = faultForms.find(({ kind }) => kind === asked.falla);
  if (!wanted) return 'Esa falla no existe.';
  const names = wanted.strikes === 'answer' ? ['operacion'] : [];
  const entries = [...names, ...wanted.fields.map(({ name }) => name)]
    .map((name) => [name, asked[name]?.trim() ?? ''] as const)
    .filter(([, value]) => value !== '')
    .map(([name, value]) => [name, read(name, value)] as const);
  try {
    world.faults.add({ [wanted.kind]: Object.fromEntries(entries) } as FaultInput);
    return undefined;
  } catch (error) {
    if (error instanceof RangeError) return error.message;
    if (!(error instanceof z.ZodError)) throw error;
    // A number out of its range, which the browser lets pass; the fields stand beside their button.
    return `No se agregó «${wanted.title}»: revise los valores.`;
  }
}

function read(name: string, value: string): string | number | string[] {
  if (name === 'kinds') {
    const kinds = faultForms.filter(({ strikes }) => strikes === value || value === 'all');
    return kinds.filter(({ strikes }) => strikes !== 'document').map(({ kind }) => kind);
  }
  return name !== 'identificacion' && /^\d+(\.\d+)?$/.test(value) ? Number(value) : value;
}
